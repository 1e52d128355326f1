/** Text with a house number and a comma is an address; 'The red gate' is not. */
const looksLikeAddress = (text: string): boolean => /\d/.test(text) && text.includes(',');

/**
 * Returns a link that searches the way to a pickup on a map, which the buyer opens. A location in free
 * words is looked for at the farm's own address. Undefined if neither is an address.
 */
export function directionsLink(location: string, farmAddress: string): string | undefined {
  const destination = looksLikeAddress(location) ? location : farmAddress;
  if (destination.trim() === '') return undefined;
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination })}`;
}
