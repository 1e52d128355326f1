export { fromMinor, hasTwoDecimals, toMinor } from '#contract/constants/money';

/** The role an account was registered with; it never changes. */
export const ROLES = ['consumer', 'farmer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Rows per page of a list: 100 by default, at most 200. */
export const LIST_LIMIT = { default: 100, max: 200 } as const;

/** Method and path of a call, below `/api`, with parameters as `:name`. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
}

export type Calls = Readonly<Record<string, Call>>;
