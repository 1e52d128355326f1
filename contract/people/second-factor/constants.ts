import type { Calls } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';

/**
 * Says for the present reader what somebody signs in with: 'Firefox on Linux', 'Another program'. Rows and answers have
 * it as an English reader sees it.
 */
export function deviceWords(device: string): string {
  const [, browser = '', system = ''] = /^(.+) on (.+)$/.exec(device) ?? [];
  if (browser === 'A program') return t('A program on {system}', { system });
  if (browser) return t('{browser} on {system}', { browser, system });
  return device === 'Another program' ? t('Another program') : device || t('A device');
}

/** The code of a refused sign-in whose password is right, and whose account asks for a second factor. */
export const SECOND_FACTOR_REQUIRED = 'SECOND_FACTOR_REQUIRED';

/** How many recovery codes an account gets at once. */
export const RECOVERY_CODES = 10;

/** Most passkeys of one account. */
export const PASSKEYS_MAX = 20;

/** The longest reason for which an admin removes the second factor of somebody, in characters. */
export const REMOVAL_REASON_MAX = 500;

export const secondFactorApi = {
  read: { method: 'GET', path: '/auth/second-factor' },
  beginApp: { method: 'POST', path: '/auth/two-factor/begin' },
  confirmApp: { method: 'POST', path: '/auth/two-factor/confirm' },
  makeRecoveryCodes: { method: 'POST', path: '/auth/two-factor/recovery-codes' },
  turnOffApp: { method: 'DELETE', path: '/auth/two-factor' },
  beginPasskey: { method: 'POST', path: '/auth/passkeys/begin' },
  addPasskey: { method: 'POST', path: '/auth/passkeys' },
  removePasskey: { method: 'DELETE', path: '/auth/passkeys/:id' },
  beginPasskeySignIn: { method: 'POST', path: '/auth/passkeys/sign-in/begin' },
  removeOfUser: { method: 'DELETE', path: '/users/:id/second-factor' },
  signInWithPasskey: { method: 'POST', path: '/auth/passkeys/sign-in' },
} as const satisfies Calls;
