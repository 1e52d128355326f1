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
  route('/', 'public', '', () => import('../home/HomePage.tsx'), { shape: 'scene' }),
  route('/about', 'public', 'About', () => import('../home/AboutPage.tsx')),
  route('/terms', 'public', 'Terms', () => import('../market/TermsPage.tsx')),
  route('/privacy', 'public', 'Privacy', () => import('../market/PrivacyPage.tsx')),
  route('/help', 'public', 'Help', () => import('../market/HelpPage.tsx')),
  route('/products', 'public', 'Products', () => import('../products/ProductsPage.tsx'), {
    shape: 'cards',
  }),
  route('/products/:id', 'public', 'Product', () => import('../products/ProductPage.tsx')),
  route('/farmers', 'public', 'Farmers', () => import('../farmers/FarmersPage.tsx'), {
    shape: 'cards',
  }),
  route('/farmers/:id', 'public', 'Farmer', () => import('../farmers/FarmerPage.tsx')),

  route('/login', 'guest', 'Login', () => import('../auth/LoginPage.tsx')),
  route('/register', 'guest', 'Register', () => import('../auth/RegisterPage.tsx')),
  route(
    '/forgot-password',
    'public',
    'Forgot password',
    () => import('../auth/ForgotPasswordPage.tsx'),
    { hasBottomBar: false },
  ),
  route(
    '/reset-password',
    'public',
    'Reset password',
    () => import('../auth/ResetPasswordPage.tsx'),
    { hasBottomBar: false },
  ),

  route('/verify-email', 'public', 'Confirm email', () => import('../auth/VerifyEmailPage.tsx'), {
    hasBottomBar: false,
  }),

  route('/invites/:token', 'public', 'Invitation', () => import('../members/InvitationPage.tsx'), {
    hasBottomBar: false,
  }),

  route('/setup', 'public', 'Set up', () => import('../setup/SetupPage.tsx'), {
    hasBottomBar: false,
  }),

  route('/profile', 'member', 'Profile', () => import('../users/ProfilePage.tsx')),
  route(
    '/messages',
    'member',
    'Messages',
    () => import('../messages/MessagesPage.tsx'),
    conversations,
  ),
  route(
    '/messages/:userId',
    'member',
    'Messages',
    () => import('../messages/ConversationPage.tsx'),
    conversation,
  ),
  route('/orders', 'member', 'My Orders', () => import('../orders/OrdersPage.tsx')),
  route('/orders/:id', 'member', 'Order', () => import('../orders/OrderPage.tsx')),

  route('/checkout', 'consumer', 'Checkout', () => import('../cart/CheckoutPage.tsx')),

  route(
    '/farmer/dashboard',
    'farmer',
    'Farmer Dashboard',
    () => import('../farmers/FarmerDashboardPage.tsx'),
  ),
  route(
    '/farmer/products',
    'farmer',
    'My products',
    () => import('../products/FarmerProductsPage.tsx'),
  ),
  route(
    '/farmer/products/add',
    'farmer',
    'Add product',
    () => import('../products/AddProductPage.tsx'),
  ),
  route(
    '/farmer/products/edit/:id',
    'farmer',
    'Edit product',
    () => import('../products/EditProductPage.tsx'),
  ),
  route('/farmer/orders', 'farmer', 'Orders', () => import('../orders/FarmerOrdersPage.tsx')),
  route(
    '/farmer/settings',
    'farmer',
    'Farm settings',
    () => import('../farm-settings/FarmSettingsPage.tsx'),
  ),
  route('/farmer/picklist', 'farmer', 'Pick list', () => import('../picklist/PicklistPage.tsx')),
  route('/farmer/slots', 'farmer', 'Pickup slots', () => import('../slots/SlotsPage.tsx')),
  route('/farmer/profile', 'signed-in', 'Profile', () => import('../users/ProfilePage.tsx')),

  route(
    '/admin/dashboard',
    'admin',
    'Admin Dashboard',
    () => import('../admin/AdminDashboardPage.tsx'),
  ),
  route('/admin/users', 'admin', 'Users', () => import('../admin/AdminUsersPage.tsx')),
  route(
    '/admin/categories',
    'admin',
    'Categories',
    () => import('../categories/AdminCategoriesPage.tsx'),
  ),
  route('/admin/users/:id', 'admin', 'User', () => import('../admin/AdminUserPage.tsx')),
  route('/admin/orders', 'admin', 'Orders', () => import('../admin/AdminOrdersPage.tsx')),
  route('/admin/orders/:id', 'admin', 'Order', () => import('../admin/AdminOrderPage.tsx')),
  route('/admin/products/:id', 'admin', 'Product', () => import('../admin/AdminProductPage.tsx')),
  route('/admin/pages', 'admin', 'Pages', () => import('../market/AdminPagesPage.tsx')),
  route('/admin/security', 'admin', 'Your account', () => import('../admin/AdminSecurityPage.tsx')),
  route('/admin/reports', 'admin', 'Reports', () => import('../admin/AdminReportsPage.tsx')),
  route(
    '/admin/hidden-products',
    'admin',
    'Hidden products',
    () => import('../admin/AdminHiddenProductsPage.tsx'),
  ),
  route('/admin/market', 'admin', 'Market', () => import('../admin/AdminMarketPage.tsx')),
  route('/admin/farms', 'admin', 'Farms', () => import('../opening/AdminFarmsPage.tsx')),
  route('/admin/audit', 'admin', 'Audit', () => import('../admin/AdminAuditPage.tsx')),
  route('/admin/health', 'admin', 'Health', () => import('../admin/AdminHealthPage.tsx')),
  route(
    '/admin/messages',
    'admin',
    'Messages',
    () => import('../messages/MessagesPage.tsx'),
    conversations,
  ),
  route(
    '/admin/messages/:userId',
    'admin',
    'Messages',
    () => import('../messages/ConversationPage.tsx'),
    conversation,
  ),

  route('*', 'public', 'Page not found', () => import('./NotFoundPage.tsx')),
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
