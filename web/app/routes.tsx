import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { matchRoute, type Parser } from 'wouter';
import type { Role } from '#contract/platform/http/http';
import type { Guard } from './guards.ts';

type PageModule = {
  default: ComponentType;
  /**
   * Prefetches the page's data when a link to it is hovered or focused, and before the server renders it: all that
   * the page shows first. `search` is the query of its address.
   */
  prefetch?: (
    client: QueryClient,
    params: Readonly<Record<string, string>>,
    search: string,
  ) => unknown;
};

export type AppRoute = {
  path: string;
  guard: Guard;
  /** The document title until the page sets its own. */
  title: string;
  Page: ComponentType;
  preload: () => Promise<PageModule>;
  /** Returns whether the page's file is there, so that the page renders at once. */
  isLoaded: () => boolean;
} & Required<RouteOptions>;

/** The shape of a page's skeleton. */
export type PageShape = 'scene' | 'cards' | 'rows' | 'chat';

type RouteOptions = {
  /** Keeps the page mounted when only its parameters change. */
  keepsState?: boolean;
  /** What stands in for the page while its file loads; `web/public/first-paint.js` has the same shapes. */
  shape?: PageShape;
  /** The page fills the window and scrolls inside: nothing stands below it. */
  fillsWindow?: boolean;
  /** Shows the bar at the bottom of phones. Not below forms to sign in, nor below an open conversation. */
  hasBottomBar?: boolean;
};

function route(
  path: string,
  guard: Guard,
  title: string,
  load: () => Promise<PageModule>,
  {
    keepsState = false,
    shape = 'rows',
    fillsWindow = false,
    hasBottomBar = guard !== 'guest',
  }: RouteOptions = {},
): AppRoute {
  let loading: Promise<PageModule> | undefined;
  let loaded: PageModule | undefined;
  const preload = () => {
    loading ??= load().then(
      (page) => {
        loaded = page;
        return page;
      },
      (error: unknown) => {
        // A failed import is not cached, so the next attempt fetches it again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    path,
    guard,
    title,
    Page: lazy(() => (loaded ? resolved(loaded) : preload())),
    preload,
    isLoaded: () => loaded !== undefined,
    keepsState,
    shape,
    fillsWindow,
    hasBottomBar,
  };
}

/**
 * Returns a promise that calls back at once, so that React renders what is loaded without waiting: the server
 * renders in one go, and the browser takes over what it rendered in one go.
 */
function resolved<Value>(value: Value): Promise<Value> {
  const promise = Promise.resolve(value);
  return Object.assign(promise, {
    // biome-ignore lint/suspicious/noThenProperty: React asks for a thenable
    then: (onFulfilled: (value: Value) => unknown) => onFulfilled(value),
  });
}

const conversations = { shape: 'chat', fillsWindow: true } satisfies RouteOptions;
const conversation = { ...conversations, keepsState: true, hasBottomBar: false };

/** All routes in matching order. Each page is loaded lazily. */
export const routes: readonly AppRoute[] = [
  route('/', 'public', '', () => import('../pages/home/HomePage.tsx'), { shape: 'scene' }),
  route('/about', 'public', 'About', () => import('../pages/home/AboutPage.tsx')),
  route('/terms', 'public', 'Terms', () => import('../pages/market/TermsPage.tsx')),
  route('/privacy', 'public', 'Privacy', () => import('../pages/market/PrivacyPage.tsx')),
  route('/help', 'public', 'Help', () => import('../pages/market/HelpPage.tsx')),
  route('/products', 'public', 'Products', () => import('../pages/catalogue/ProductsPage.tsx'), {
    shape: 'cards',
  }),
  route('/products/:id', 'public', 'Product', () => import('../pages/catalogue/ProductPage.tsx')),
  route('/farmers', 'public', 'Farmers', () => import('../pages/farm/FarmersPage.tsx'), {
    shape: 'cards',
  }),
  route('/farmers/:id', 'public', 'Farmer', () => import('../pages/farm/FarmerPage.tsx')),

  route('/login', 'guest', 'Login', () => import('../pages/people/LoginPage.tsx')),
  route('/register', 'guest', 'Register', () => import('../pages/people/RegisterPage.tsx')),
  route(
    '/forgot-password',
    'public',
    'Forgot password',
    () => import('../pages/people/ForgotPasswordPage.tsx'),
    { hasBottomBar: false },
  ),
  route(
    '/reset-password',
    'public',
    'Reset password',
    () => import('../pages/people/ResetPasswordPage.tsx'),
    { hasBottomBar: false },
  ),

  route(
    '/verify-email',
    'public',
    'Confirm email',
    () => import('../pages/people/VerifyEmailPage.tsx'),
    {
      hasBottomBar: false,
    },
  ),

  route(
    '/invites/:token',
    'public',
    'Invitation',
    () => import('../pages/people/InvitationPage.tsx'),
    {
      hasBottomBar: false,
    },
  ),

  route('/setup', 'public', 'Set up', () => import('../pages/admin/SetupPage.tsx'), {
    hasBottomBar: false,
  }),

  route('/profile', 'member', 'Profile', () => import('../pages/people/ProfilePage.tsx')),
  route(
    '/messages',
    'member',
    'Messages',
    () => import('../pages/farm/MessagesPage.tsx'),
    conversations,
  ),
  route(
    '/messages/:userId',
    'member',
    'Messages',
    () => import('../pages/farm/ConversationPage.tsx'),
    conversation,
  ),
  route('/orders', 'member', 'My Orders', () => import('../pages/ordering/OrdersPage.tsx')),
  route('/orders/:id', 'member', 'Order', () => import('../pages/ordering/OrderPage.tsx')),

  route('/checkout', 'consumer', 'Checkout', () => import('../pages/ordering/CheckoutPage.tsx')),

  route(
    '/farmer/dashboard',
    'farmer',
    'Farmer Dashboard',
    () => import('../pages/farm/FarmerDashboardPage.tsx'),
  ),
  route(
    '/farmer/products',
    'farmer',
    'My products',
    () => import('../pages/catalogue/FarmerProductsPage.tsx'),
  ),
  route(
    '/farmer/products/add',
    'farmer',
    'Add product',
    () => import('../pages/catalogue/AddProductPage.tsx'),
  ),
  route(
    '/farmer/products/edit/:id',
    'farmer',
    'Edit product',
    () => import('../pages/catalogue/EditProductPage.tsx'),
  ),
  route(
    '/farmer/orders',
    'farmer',
    'Orders',
    () => import('../pages/ordering/FarmerOrdersPage.tsx'),
  ),
  route(
    '/farmer/settings',
    'farmer',
    'Farm settings',
    () => import('../pages/farm/FarmSettingsPage.tsx'),
  ),
  route(
    '/farmer/picklist',
    'farmer',
    'Pick list',
    () => import('../pages/ordering/PicklistPage.tsx'),
  ),
  route('/farmer/slots', 'farmer', 'Pickup slots', () => import('../pages/farm/SlotsPage.tsx')),
  route('/farmer/profile', 'signed-in', 'Profile', () => import('../pages/people/ProfilePage.tsx')),

  route(
    '/admin/dashboard',
    'admin',
    'Admin Dashboard',
    () => import('../pages/admin/AdminDashboardPage.tsx'),
  ),
  route('/admin/users', 'admin', 'Users', () => import('../pages/admin/AdminUsersPage.tsx')),
  route(
    '/admin/categories',
    'admin',
    'Categories',
    () => import('../pages/admin/AdminCategoriesPage.tsx'),
  ),
  route('/admin/users/:id', 'admin', 'User', () => import('../pages/admin/AdminUserPage.tsx')),
  route('/admin/orders', 'admin', 'Orders', () => import('../pages/admin/AdminOrdersPage.tsx')),
  route('/admin/orders/:id', 'admin', 'Order', () => import('../pages/admin/AdminOrderPage.tsx')),
  route(
    '/admin/products/:id',
    'admin',
    'Product',
    () => import('../pages/admin/AdminProductPage.tsx'),
  ),
  route('/admin/pages', 'admin', 'Pages', () => import('../pages/admin/AdminPagesPage.tsx')),
  route(
    '/admin/security',
    'admin',
    'Your account',
    () => import('../pages/admin/AdminSecurityPage.tsx'),
  ),
  route('/admin/reports', 'admin', 'Reports', () => import('../pages/admin/AdminReportsPage.tsx')),
  route(
    '/admin/hidden-products',
    'admin',
    'Hidden products',
    () => import('../pages/admin/AdminHiddenProductsPage.tsx'),
  ),
  route('/admin/market', 'admin', 'Market', () => import('../pages/admin/AdminMarketPage.tsx')),
  route('/admin/farms', 'admin', 'Farms', () => import('../pages/admin/AdminFarmsPage.tsx')),
  route('/admin/audit', 'admin', 'Audit', () => import('../pages/admin/AdminAuditPage.tsx')),
  route('/admin/health', 'admin', 'Health', () => import('../pages/admin/AdminHealthPage.tsx')),
  route(
    '/admin/messages',
    'admin',
    'Messages',
    () => import('../pages/farm/MessagesPage.tsx'),
    conversations,
  ),
  route(
    '/admin/messages/:userId',
    'admin',
    'Messages',
    () => import('../pages/farm/ConversationPage.tsx'),
    conversation,
  ),

  route('*', 'public', 'Page not found', () => import('../pages/home/NotFoundPage.tsx')),
];

/** Returns the route of a path and its parameters. The last route matches every path. */
export function findRoute(
  parser: Parser,
  path: string,
): { route: AppRoute; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const [matches, params] = matchRoute(parser, route.path, path);
    if (matches) return { route, params: params as Record<string, string> };
  }
  return undefined;
}

/**
 * Returns whether a page is part of a role's own work, which has the role's navigation around it and
 * no footer below it.
 */
export const isWorkPage = ({ guard }: AppRoute, role: Role | null): boolean =>
  (role === 'farmer' || role === 'admin') && guard !== 'public';

const ID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Returns the path with its ids in lower case, as the server and the cache have them. */
export const withLowerCaseIds = (path: string): string =>
  path.replace(ID_PATTERN, (id) => id.toLowerCase());
