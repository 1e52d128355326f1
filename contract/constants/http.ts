export { fromMinor, hasTwoDecimals, toMinor } from '#contract/constants/money';

/** The role an account was registered with; it never changes. */
export const ROLES = ['consumer', 'farmer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** How many rows a list answers at once: 100 unless asked, never more than 200. */
export const LIST_LIMIT = { default: 100, max: 200 } as const;

/** Where a call goes: its path is below `/api`, with parameters as `:name`. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
}

export type Calls = Readonly<Record<string, Call>>;
