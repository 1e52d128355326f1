import type { PagePath } from '#contract/edge/constants';
import type { Role } from '#contract/platform/http/http';

/** Any id: which product or order follows, one cannot know. */
const ID = '00000000-0000-4000-8000-000000000000';

const FROM_HOME = ['/products', `/products/${ID}`];
const BUYERS = ['/checkout', '/orders', `/orders/${ID}`];

/** By the path of a page: where people usually go from there. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '/': FROM_HOME,
  '/about': FROM_HOME,
  '/products': [`/products/${ID}`, `/farmers/${ID}`],
  '/products/:id': [`/farmers/${ID}`, '/products'],
  '/farmers': [`/farmers/${ID}`],
  '/farmers/:id': [`/products/${ID}`],
  '/login': FROM_HOME,
  '/orders': [`/orders/${ID}`],
  '/orders/:id': ['/orders', `/messages/${ID}`],
  '/messages': [`/messages/${ID}`],
  '/farmer/dashboard': ['/farmer/orders', '/farmer/picklist', '/farmer/products'],
  '/farmer/orders': [`/orders/${ID}`, '/farmer/picklist', `/messages/${ID}`],
  '/farmer/products': ['/farmer/products/add', `/farmer/products/edit/${ID}`],
  '/admin/dashboard': ['/admin/orders', `/admin/orders/${ID}`, '/admin/users'],
  '/admin/orders': [`/admin/orders/${ID}`],
  '/admin/users': [`/admin/users/${ID}`],
} satisfies Partial<Record<PagePath, readonly string[]>>;

/** Returns the paths whose pages usually follow on a route's page, for somebody of this role. */
export function likelyNext(pattern: string, role: Role | null): readonly string[] {
  const next = NEXT[pattern] ?? [];
  const isShopping = role === 'consumer' && /^\/(products.*)?$/.test(pattern);
  return isShopping ? [...next, ...BUYERS] : next;
}
