import type { Calls } from '#contract/platform/http/constants';

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 200;

/**
 * Returns the form of a password that counts (RFC 8265, OpaqueString): keyboards and systems write the same letter in
 * different ways, composed or as letter and accent, and spaces too.
 */
export const normalPassword = (password: string): string =>
  password.replace(/\p{Zs}/gu, ' ').normalize('NFC');

/** How long a mailed link that verifies an email works, in days. */
export const EMAIL_LINK_DAYS = 3;
/** For how long the old address can undo a change of a proven email, in days. */
export const EMAIL_UNDO_DAYS = 7;

/** How the email of an account ends that has none: another one proved it. */
export const NO_EMAIL_ENDING = '@unproven.invalid';

/** Days for which an address or a device stays known after a sign-in from it. */
export const KNOWN_SOURCE_DAYS = { address: 30, device: 180 } as const;

/**
 * The header with a random UUID that a client generates once and keeps, also after signing out. Failed
 * sign-ins of others do not lock out a device that has signed in to the account before.
 */
export const DEVICE_HEADER = 'X-Device-Id';

export const authApi = {
  register: { method: 'POST', path: '/auth/register' },
  login: { method: 'POST', path: '/auth/login' },
  logout: { method: 'POST', path: '/auth/logout' },
  me: { method: 'GET', path: '/auth/me' },
  forgotPassword: { method: 'POST', path: '/auth/forgot-password' },
  resetPassword: { method: 'POST', path: '/auth/reset-password' },
  sendVerification: { method: 'POST', path: '/auth/verification' },
  readEmailLink: { method: 'GET', path: '/auth/verify-email' },
  verifyEmail: { method: 'POST', path: '/auth/verify-email' },
  refuseEmail: { method: 'POST', path: '/auth/verify-email/not-me' },
  readEmail: { method: 'GET', path: '/auth/email' },
  changeEmail: { method: 'PUT', path: '/auth/email' },
  changePassword: { method: 'PUT', path: '/auth/password' },
  sessions: { method: 'GET', path: '/auth/sessions' },
  endSession: { method: 'DELETE', path: '/auth/sessions/:id' },
  endOtherSessions: { method: 'DELETE', path: '/auth/sessions' },
} as const satisfies Calls;
