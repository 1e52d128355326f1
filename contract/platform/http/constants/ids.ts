/** Returns the first 8 characters of an id, as shown to users. */
export const shortId = (id: string): string => id.slice(0, 8);
