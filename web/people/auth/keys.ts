/** The key of the signed-in user, one for each token; each begins with `all`. */
export const authKeys = {
  all: ['auth'] as const,
  /** Where the user is signed in. */
  sessions: ['auth', 'sessions'] as const,
  /** What protects the user's account beside the password. */
  secondFactor: ['auth', 'second-factor'] as const,
  /** The user's email, and one that waits for its confirmation. */
  email: ['auth', 'email'] as const,
  /** What a mailed link is for. Whoever is signed in may be somebody else. */
  emailLink: (token: string) => ['email-link', token] as const,
  /** The open orders that a deletion of the account concerns. */
  outlook: ['auth', 'deletion'] as const,
  me: (token: string | null) => ['auth', 'me', token] as const,
};
