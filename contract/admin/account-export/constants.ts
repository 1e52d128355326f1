import type { Calls } from '#contract/platform/http/constants/http';

/** Method and path of each call; `#contract/admin/account-export/account-export` has the endpoints with their schemas. */
export const accountExportApi = {
  read: { method: 'GET', path: '/users/me/export' },
} as const satisfies Calls;
