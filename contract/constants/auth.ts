import type { Calls } from '#contract/constants/http';

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 200;

/** Days for which an address or a device counts as known after a sign-in from it. */
export const KNOWN_SOURCE_DAYS = { address: 30, device: 180 } as const;

/**
 * The header with a random UUID that a client makes once and keeps, also when it signs out. Once
 * somebody has signed in with it, strangers who guess at the account cannot lock this device out.
 */
export const DEVICE_HEADER = 'X-Device-Id';

/** Method and path of each call; `#contract/auth` has the whole endpoints, with their schemas. */
export const authApi = {
  register: { method: 'POST', path: '/auth/register' },
  login: { method: 'POST', path: '/auth/login' },
  me: { method: 'GET', path: '/auth/me' },
  forgotPassword: { method: 'POST', path: '/auth/forgot-password' },
  resetPassword: { method: 'POST', path: '/auth/reset-password' },
} as const satisfies Calls;
