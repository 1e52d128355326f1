/** The types of `sides.mjs`, for its test. */
export function sidesIn(file: string, text: string): string[];
