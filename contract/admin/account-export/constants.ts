import type { Calls } from '#contract/platform/http/constants';

export const accountExportApi = {
  read: { method: 'GET', path: '/users/me/export' },
} as const satisfies Calls;
