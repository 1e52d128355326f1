import type { Role } from '#contract/platform/http/constants';

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

/** An address; its file in `web/pages`; who may see it; the title of its document until the page sets its own. */
export type PageEntry = readonly [
  path: string,
  file: string,
  guard: Guard,
  title: string,
  options?: PageOptions,
];

/** Forms at addresses that are secrets, or that hold nothing to read. */
const form = { hasBottomBar: false, isRendered: false } as const;
const conversations = { shape: 'chat', fillsWindow: true } as const;
const conversation = { ...conversations, keepsState: true, hasBottomBar: false } as const;

const TABLE = [
  ['/', 'home/HomePage.tsx', 'public', '', { shape: 'scene' }],
  ['/products', 'catalogue/ProductsPage.tsx', 'public', 'Products', { shape: 'cards' }],
  ['/products/:id', 'catalogue/ProductPage.tsx', 'public', 'Product'],
  ['/farmers', 'farm/FarmersPage.tsx', 'public', 'Farmers', { shape: 'cards' }],
  ['/farmers/:id', 'farm/FarmerPage.tsx', 'public', 'Farmer'],
  ['/about', 'home/AboutPage.tsx', 'public', 'About'],
  ['/terms', 'market/TermsPage.tsx', 'public', 'Terms'],
  ['/privacy', 'market/PrivacyPage.tsx', 'public', 'Privacy'],
  ['/help', 'market/HelpPage.tsx', 'public', 'Help'],

  ['/login', 'people/LoginPage.tsx', 'guest', 'Login'],
  ['/register', 'people/RegisterPage.tsx', 'guest', 'Register'],
  ['/forgot-password', 'people/ForgotPasswordPage.tsx', 'public', 'Forgot password', form],
  ['/reset-password', 'people/ResetPasswordPage.tsx', 'public', 'Reset password', form],
  ['/verify-email', 'people/VerifyEmailPage.tsx', 'public', 'Confirm email', form],
  ['/invites/:token', 'people/InvitationPage.tsx', 'public', 'Invitation', form],
  ['/setup', 'admin/SetupPage.tsx', 'public', 'Set up', form],

  ['/profile', 'people/ProfilePage.tsx', 'member', 'Profile'],
  ['/messages', 'farm/MessagesPage.tsx', 'member', 'Messages', conversations],
  ['/messages/:userId', 'farm/ConversationPage.tsx', 'member', 'Messages', conversation],
  ['/orders', 'ordering/OrdersPage.tsx', 'member', 'My Orders'],
  ['/orders/:id', 'ordering/OrderPage.tsx', 'member', 'Order'],

  ['/checkout', 'ordering/CheckoutPage.tsx', 'consumer', 'Checkout'],

  ['/farmer/dashboard', 'farm/FarmerDashboardPage.tsx', 'farmer', 'Farmer Dashboard'],
  ['/farmer/products', 'catalogue/FarmerProductsPage.tsx', 'farmer', 'My products'],
  ['/farmer/products/add', 'catalogue/AddProductPage.tsx', 'farmer', 'Add product'],
  ['/farmer/products/edit/:id', 'catalogue/EditProductPage.tsx', 'farmer', 'Edit product'],
  ['/farmer/orders', 'ordering/FarmerOrdersPage.tsx', 'farmer', 'Orders'],
  ['/farmer/settings', 'farm/FarmSettingsPage.tsx', 'farmer', 'Farm settings'],
  ['/farmer/picklist', 'ordering/PicklistPage.tsx', 'farmer', 'Pick list'],
  ['/farmer/slots', 'farm/SlotsPage.tsx', 'farmer', 'Pickup slots'],
  ['/farmer/profile', 'people/ProfilePage.tsx', 'signed-in', 'Profile'],

  ['/admin/dashboard', 'admin/AdminDashboardPage.tsx', 'admin', 'Admin Dashboard'],
  ['/admin/users', 'admin/AdminUsersPage.tsx', 'admin', 'Users'],
  ['/admin/categories', 'admin/AdminCategoriesPage.tsx', 'admin', 'Categories'],
  ['/admin/users/:id', 'admin/AdminUserPage.tsx', 'admin', 'User'],
  ['/admin/orders', 'admin/AdminOrdersPage.tsx', 'admin', 'Orders'],
  ['/admin/orders/:id', 'admin/AdminOrderPage.tsx', 'admin', 'Order'],
  ['/admin/products/:id', 'admin/AdminProductPage.tsx', 'admin', 'Product'],
  ['/admin/pages', 'admin/AdminPagesPage.tsx', 'admin', 'Pages'],
  ['/admin/security', 'admin/AdminSecurityPage.tsx', 'admin', 'Your account'],
  ['/admin/reports', 'admin/AdminReportsPage.tsx', 'admin', 'Reports'],
  ['/admin/hidden-products', 'admin/AdminHiddenProductsPage.tsx', 'admin', 'Hidden products'],
  ['/admin/market', 'admin/AdminMarketPage.tsx', 'admin', 'Market'],
  ['/admin/farms', 'admin/AdminFarmsPage.tsx', 'admin', 'Farms'],
  ['/admin/audit', 'admin/AdminAuditPage.tsx', 'admin', 'Audit'],
  ['/admin/health', 'admin/AdminHealthPage.tsx', 'admin', 'Health'],
  ['/admin/messages', 'farm/MessagesPage.tsx', 'admin', 'Messages', conversations],
  ['/admin/messages/:userId', 'farm/ConversationPage.tsx', 'admin', 'Messages', conversation],

  ['*', 'home/NotFoundPage.tsx', 'public', 'Page not found'],
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
