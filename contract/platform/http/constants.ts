/** The role an account was registered with; it never changes. */
export const ROLES = ['consumer', 'farmer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Rows per page of a list: 100 by default, at most 200. */
export const LIST_LIMIT = { default: 100, max: 200 } as const;

/** How long a repeat of an `Idempotency-Key` gets the first answer, in hours. */
export const IDEMPOTENCY_HOURS = 24;

/** Method and path of a call, below `/api`, with parameters as `:name`. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
}

export type Calls = Readonly<Record<string, Call>>;

/** The code of the refusal to sign in with a suspended account. */
export const ACCOUNT_SUSPENDED = 'ACCOUNT_SUSPENDED';

/** The code of a refused token (401) whose account is deleted or suspended: signing in again would not help. */
export const ACCOUNT_GONE = 'ACCOUNT_GONE';

/** Returns the first 8 characters of an id, as shown to users. */
export const shortId = (id: string): string => id.slice(0, 8);
