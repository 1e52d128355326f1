/** What the query keys of a feature begin with, where another feature refetches all of it. */
export const rootKeys = {
  products: ['products'],
  users: ['users'],
} as const;
