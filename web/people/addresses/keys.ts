/** The key of the signed-in person's addresses in the query cache. */
export const addressesKeys = { all: ['addresses'] as const };
