import type { Calls } from '#contract/platform/http/constants';

/** Digits of the code that proves a phone. */
export const PHONE_CODE_LENGTH = 6;

/** How long a code works, in minutes. */
export const PHONE_CODE_MINUTES = 10;

/** How often a wrong code may be entered before another one is needed. */
export const PHONE_CODE_TRIES = 5;

/** Codes that are sent, in seconds and times: to one person and, whoever asks, to one number a day. */
export const PHONE_CODE_LIMITS = {
  person: [
    { seconds: 60, max: 1 },
    { seconds: 3600, max: 5 },
  ],
  numberPerDay: 10,
} as const;

/** The code of a refusal where the market sends no text messages. */
export const SMS_OFF = 'SMS_OFF';

export const phoneApi = {
  read: { method: 'GET', path: '/users/me/phone' },
  change: { method: 'PUT', path: '/users/me/phone' },
  confirm: { method: 'POST', path: '/users/me/phone/confirmation' },
} as const satisfies Calls;
