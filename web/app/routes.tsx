import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { matchRoute, type Parser } from 'wouter';
import type { Guard } from './guards.ts';

type PageModule = {
  default: ComponentType;
  /** Prefetches the page's data when a link to it is hovered or focused. */
  prefetch?: (client: QueryClient, params: Readonly<Record<string, string>>) => unknown;
};

export type AppRoute = {
  path: string;
  guard: Guard;
  /** The document title until the page sets its own. */
  title: string;
  Page: ComponentType;
  preload: () => Promise<PageModule>;
  /** Keeps the page mounted when only its parameters change. */
  keepsState: boolean;
};

function route(
  path: string,
  guard: Guard,
  title: string,
  load: () => Promise<PageModule>,
  keepsState = false,
): AppRoute {
  let loading: Promise<PageModule> | undefined;
  const preload = () => {
    loading ??= load().catch((error: unknown) => {
      // A failed import is not cached, so the next attempt fetches it again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return { path, guard, title, Page: lazy(preload), preload, keepsState };
}

/** All routes in matching order. Each page is loaded lazily. */
export const routes: readonly AppRoute[] = [
  route('/', 'public', '', () => import('../home/HomePage.tsx')),
  route('/about', 'public', 'About', () => import('../home/AboutPage.tsx')),
  route('/products', 'public', 'Products', () => import('../products/ProductsPage.tsx')),
  route('/products/:id', 'public', 'Product', () => import('../products/ProductPage.tsx')),
  route('/farmers', 'public', 'Farmers', () => import('../farmers/FarmersPage.tsx')),
  route('/farmers/:id', 'public', 'Farmer', () => import('../farmers/FarmerPage.tsx')),

  route('/login', 'guest', 'Login', () => import('../auth/LoginPage.tsx')),
  route('/register', 'guest', 'Register', () => import('../auth/RegisterPage.tsx')),
  route(
    '/forgot-password',
    'public',
    'Forgot password',
    () => import('../auth/ForgotPasswordPage.tsx'),
  ),
  route(
    '/reset-password',
    'public',
    'Reset password',
    () => import('../auth/ResetPasswordPage.tsx'),
  ),

  route('/profile', 'member', 'Profile', () => import('../users/ProfilePage.tsx')),
  route('/messages', 'member', 'Messages', () => import('../messages/MessagesPage.tsx')),
  route(
    '/messages/:userId',
    'member',
    'Messages',
    () => import('../messages/ConversationPage.tsx'),
    true,
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
    'My Products',
    () => import('../products/FarmerProductsPage.tsx'),
  ),
  route(
    '/farmer/products/add',
    'farmer',
    'Add Product',
    () => import('../products/AddProductPage.tsx'),
  ),
  route(
    '/farmer/products/edit/:id',
    'farmer',
    'Edit Product',
    () => import('../products/EditProductPage.tsx'),
  ),
  route('/farmer/orders', 'farmer', 'Orders', () => import('../orders/FarmerOrdersPage.tsx')),
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
  route('/admin/orders', 'admin', 'Orders', () => import('../admin/AdminOrdersPage.tsx')),
  route('/admin/messages', 'admin', 'Messages', () => import('../messages/MessagesPage.tsx')),
  route(
    '/admin/messages/:userId',
    'admin',
    'Messages',
    () => import('../messages/ConversationPage.tsx'),
    true,
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

const ID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Returns the path with its ids in lower case, as the server and the cache have them. */
export const withLowerCaseIds = (path: string): string =>
  path.replace(ID_PATTERN, (id) => id.toLowerCase());
