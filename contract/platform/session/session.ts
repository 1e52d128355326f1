/**
 * The person who is signed in, as the API returns them. `people/users` says what is known of them (`declare module`), so
 * that what keeps a session imports no feature.
 */
// biome-ignore lint/suspicious/noEmptyInterface: people/users fills it
export interface SignedInUser {}
