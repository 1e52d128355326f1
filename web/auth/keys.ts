/** The key of the signed-in user, one for each token; each begins with `all`. */
export const authKeys = {
  all: ['auth'] as const,
  /** Where the user is signed in. */
  sessions: ['auth', 'sessions'] as const,
  /** What protects the user's account beside the password. */
  secondFactor: ['auth', 'second-factor'] as const,
  /** The open orders that a deletion of the account concerns. */
  outlook: ['auth', 'deletion'] as const,
  me: (token: string | null) => ['auth', 'me', token] as const,
};
