/** A farm lists at most this many places that it delivers to. */
export const DELIVERY_AREAS_MAX = 200;
export const DELIVERY_AREA_LENGTH_MAX = 100;

/** Returns a text without case, accents and punctuation: two spellings of one place are equal. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Not to lower case, which keeps 'ß' apart from 'ss'.
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const plainCode = (text: string): string => plain(text).replaceAll(' ', '');

/** A ZIP+4 code names a street of the place that its first five digits name. */
const ZIP_PLUS_4 = /^(\d{5})\d{4}$/;

/** Returns whether two texts name the same place, however they are written. */
export const isSamePlace = (one: string, other: string): boolean => plain(one) === plain(other);

/** Returns whether a text can name a place at all. */
export const isAreaName = (text: string): boolean => plain(text) !== '';

/** Returns the areas without those that name the same place as one before them. */
export function distinctAreas(areas: readonly string[]): string[] {
  const known = new Set<string>();
  return areas.filter((area) => {
    const key = plain(area);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/**
 * Returns whether a farm that lists `areas`, postcodes or cities, delivers to an address. An empty list
 * says nothing about any address: `undefined`.
 */
export function isServed(
  areas: readonly string[],
  { city, zipCode }: { city: string; zipCode: string },
): boolean | undefined {
  if (areas.length === 0) return undefined;
  const zip = plainCode(zipCode);
  const names = [plain(city)];
  const codes = [zip, ZIP_PLUS_4.exec(zip)?.[1] ?? zip];
  return areas.some(
    (area) => isAreaName(area) && (names.includes(plain(area)) || codes.includes(plainCode(area))),
  );
}
