import type { Role } from '#contract/platform/http/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';

/**
 * Who may see a page: everybody; only those not signed in (`guest`); anyone who is signed in
 * (`signed-in`); consumers and farmers (`member`); or one role alone.
 */
export type Guard = 'public' | 'guest' | 'signed-in' | 'member' | Role;

/** The shape of a page's skeleton. */
export type PageShape = 'scene' | 'cards' | 'rows' | 'chat';

interface PageOptions {
  /** What stands in for the page before its file is there: `rows` where nothing is said. */
  shape?: PageShape;
  /** Keeps the page mounted when only its parameters change. */
  keepsState?: boolean;
  /** The page fills the window and scrolls inside: nothing stands below it. */
  fillsWindow?: boolean;
  /** Shows the bar at the bottom of phones. Not below forms to sign in, nor below an open conversation. */
  hasBottomBar?: boolean;
  /** The server renders it and the service worker keeps it: public pages, where nothing is said. */
  isRendered?: boolean;
}

/** An address; its file in `web/pages`; who may see it; the title of its document until the page sets its own,
 * null for the market's name alone. */
export type PageEntry = readonly [
  path: string,
  file: string,
  guard: Guard,
  title: Message | null,
  options?: PageOptions,
];

/** Forms at addresses that are secrets, or that hold nothing to read. */
const form = { hasBottomBar: false, isRendered: false } as const;
const conversations = { shape: 'chat', fillsWindow: true } as const;
const conversation = { ...conversations, keepsState: true, hasBottomBar: false } as const;

const TABLE = [
  ['/', 'home/HomePage.tsx', 'public', null, { shape: 'scene' }],
  ['/products', 'catalogue/ProductsPage.tsx', 'public', msg('Products'), { shape: 'cards' }],
  ['/products/:id', 'catalogue/ProductPage.tsx', 'public', msg('Product')],
  ['/farmers', 'farm/FarmersPage.tsx', 'public', msg('Farmers'), { shape: 'cards' }],
  ['/farmers/:id', 'farm/FarmerPage.tsx', 'public', msg('Farmer')],
  ['/about', 'home/AboutPage.tsx', 'public', msg('About')],
  ['/terms', 'market/TermsPage.tsx', 'public', msg('Terms')],
  ['/privacy', 'market/PrivacyPage.tsx', 'public', msg('Privacy')],
  ['/help', 'market/HelpPage.tsx', 'public', msg('Help')],

  ['/login', 'people/LoginPage.tsx', 'guest', msg('Login')],
  ['/register', 'people/RegisterPage.tsx', 'guest', msg('Register')],
  ['/forgot-password', 'people/ForgotPasswordPage.tsx', 'public', msg('Forgot password'), form],
  ['/reset-password', 'people/ResetPasswordPage.tsx', 'public', msg('Reset password'), form],
  ['/verify-email', 'people/VerifyEmailPage.tsx', 'public', msg('Confirm email'), form],
  ['/invites/:token', 'people/InvitationPage.tsx', 'public', msg('Invitation'), form],
  ['/setup', 'admin/SetupPage.tsx', 'public', msg('Set up'), form],

  ['/profile', 'people/ProfilePage.tsx', 'member', msg('Profile')],
  ['/messages', 'farm/MessagesPage.tsx', 'member', msg('Messages'), conversations],
  ['/messages/:userId', 'farm/ConversationPage.tsx', 'member', msg('Messages'), conversation],
  ['/orders', 'ordering/OrdersPage.tsx', 'member', msg('My Orders')],
  ['/orders/:id', 'ordering/OrderPage.tsx', 'member', msg('Order')],

  ['/favorites', 'catalogue/FavoritesPage.tsx', 'consumer', msg('Favorites'), { shape: 'cards' }],
  ['/checkout', 'ordering/CheckoutPage.tsx', 'consumer', msg('Checkout')],

  ['/farmer/dashboard', 'farm/FarmerDashboardPage.tsx', 'farmer', msg('Farmer Dashboard')],
  ['/farmer/products', 'catalogue/FarmerProductsPage.tsx', 'farmer', msg('My products')],
  ['/farmer/products/add', 'catalogue/AddProductPage.tsx', 'farmer', msg('Add product')],
  ['/farmer/products/edit/:id', 'catalogue/EditProductPage.tsx', 'farmer', msg('Edit product')],
  ['/farmer/products/import/:id', 'catalogue/ImportProductsPage.tsx', 'farmer', msg('Import')],
  ['/farmer/orders', 'ordering/FarmerOrdersPage.tsx', 'farmer', msg('Orders')],
  ['/farmer/settings', 'farm/FarmSettingsPage.tsx', 'farmer', msg('Farm settings')],
  ['/farmer/picklist', 'ordering/PicklistPage.tsx', 'farmer', msg('Pick list')],
  ['/farmer/slots', 'farm/SlotsPage.tsx', 'farmer', msg('Pickup slots')],
  ['/farmer/profile', 'people/ProfilePage.tsx', 'signed-in', msg('Profile')],

  ['/admin/dashboard', 'admin/AdminDashboardPage.tsx', 'admin', msg('Admin Dashboard')],
  ['/admin/users', 'admin/AdminUsersPage.tsx', 'admin', msg('Users')],
  ['/admin/categories', 'admin/AdminCategoriesPage.tsx', 'admin', msg('Categories')],
  ['/admin/users/:id', 'admin/AdminUserPage.tsx', 'admin', msg('User')],
  ['/admin/orders', 'admin/AdminOrdersPage.tsx', 'admin', msg('Orders')],
  ['/admin/orders/:id', 'admin/AdminOrderPage.tsx', 'admin', msg('Order')],
  ['/admin/products/:id', 'admin/AdminProductPage.tsx', 'admin', msg('Product')],
  ['/admin/pages', 'admin/AdminPagesPage.tsx', 'admin', msg('Pages')],
  ['/admin/security', 'admin/AdminSecurityPage.tsx', 'admin', msg('Your account')],
  ['/admin/reports', 'admin/AdminReportsPage.tsx', 'admin', msg('Reports')],
  ['/admin/hidden-products', 'admin/AdminHiddenProductsPage.tsx', 'admin', msg('Hidden products')],
  ['/admin/market', 'admin/AdminMarketPage.tsx', 'admin', msg('Market')],
  ['/admin/farms', 'admin/AdminFarmsPage.tsx', 'admin', msg('Farms')],
  ['/admin/audit', 'admin/AdminAuditPage.tsx', 'admin', msg('Audit')],
  ['/admin/health', 'admin/AdminHealthPage.tsx', 'admin', msg('Health')],
  ['/admin/messages', 'farm/MessagesPage.tsx', 'admin', msg('Messages'), conversations],
  ['/admin/messages/:userId', 'farm/ConversationPage.tsx', 'admin', msg('Messages'), conversation],

  ['*', 'home/NotFoundPage.tsx', 'public', msg('Page not found')],
] as const satisfies readonly PageEntry[];

/** All pages in matching order. The last one says that there is none. */
export const PAGES: readonly PageEntry[] = TABLE;

type Entry = (typeof TABLE)[number];
/** The path of a page. */
export type PagePath = Entry[0];
/** The path of a page that the server renders. */
export type RenderedPath = Exclude<Extract<Entry, { 2: 'public' }>, { 4: typeof form }>[0];

/** The path of the page that says that there is none. */
export const MISSING = '*';

/** Addresses that the server alone answers, with all below them. */
export const SERVER_PATHS = [
  '/api',
  '/uploads',
  '/unsubscribe',
  '/socket.io',
  '/admin/queues',
  '/metrics',
  '/healthz',
  '/readyz',
] as const;

/** Returns whether the server renders a page, which is everybody's then. */
export const isRendered = ([, , guard, , options]: PageEntry): boolean =>
  options?.isRendered ?? guard === 'public';

/** Returns the pattern of the addresses of all these pages, as a text. */
export const patternOf = (pages: readonly PageEntry[]): string =>
  `^(${pages.map(([path]) => path.replace(/^\/$/, '').replace(/:\w+/g, '[^/]+')).join('|')})/?$`;
