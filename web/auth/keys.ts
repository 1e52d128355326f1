/** The key of the signed-in user, one for each token. */
export const authKeys = {
  me: (token: string | null) => ['auth', 'me', token] as const,
};
