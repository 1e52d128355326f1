import type { Calls } from '#contract/constants/http';

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 200;

/** How long a mailed link that verifies an email works, in days. */
export const EMAIL_LINK_DAYS = 3;

/** Days for which an address or a device stays known after a sign-in from it. */
export const KNOWN_SOURCE_DAYS = { address: 30, device: 180 } as const;

/**
 * The header with a random UUID that a client generates once and keeps, also after signing out. Failed
 * sign-ins of others do not lock out a device that has signed in to the account before.
 */
export const DEVICE_HEADER = 'X-Device-Id';

/** The code of a refused token (401) whose account is deleted or suspended: signing in again would not help. */
export const ACCOUNT_GONE = 'ACCOUNT_GONE';

/** Method and path of each call; `#contract/auth` has the endpoints with their schemas. */
export const authApi = {
  register: { method: 'POST', path: '/auth/register' },
  login: { method: 'POST', path: '/auth/login' },
  logout: { method: 'POST', path: '/auth/logout' },
  me: { method: 'GET', path: '/auth/me' },
  forgotPassword: { method: 'POST', path: '/auth/forgot-password' },
  resetPassword: { method: 'POST', path: '/auth/reset-password' },
  sendVerification: { method: 'POST', path: '/auth/verification' },
  verifyEmail: { method: 'POST', path: '/auth/verify-email' },
  changePassword: { method: 'PUT', path: '/auth/password' },
  sessions: { method: 'GET', path: '/auth/sessions' },
  endSession: { method: 'DELETE', path: '/auth/sessions/:id' },
  endOtherSessions: { method: 'DELETE', path: '/auth/sessions' },
} as const satisfies Calls;
