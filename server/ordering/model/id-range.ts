/** The start of an id as it is typed or copied: hexadecimal, with or without its dashes and `#`. */
const ID_START = /^#?[0-9a-f-]{1,36}$/i;

/** Returns the lowest and the highest id that begin so, or null: a range can use the index where a text cannot. */
export function idRange(start: string): [string, string] | null {
  const digits = start.replace(/[#-]/g, '').toLowerCase();
  if (!ID_START.test(start) || digits.length === 0 || digits.length > 32) return null;
  const withDashes = (hex: string) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return [withDashes(digits.padEnd(32, '0')), withDashes(digits.padEnd(32, 'f'))];
}
