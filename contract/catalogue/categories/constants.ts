import type { Calls } from '#contract/platform/http/constants';

export const categoriesApi = {
  list: { method: 'GET', path: '/categories' },
  create: { method: 'POST', path: '/categories' },
  update: { method: 'PUT', path: '/categories/:id' },
  remove: { method: 'DELETE', path: '/categories/:id' },
} as const satisfies Calls;
