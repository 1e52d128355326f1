import { withDatabase } from '../fill.ts';

// What people may write at the worst: words without a space as long as a field takes them, from the right, and of
// pictures that are made of many characters.

/** A name of exactly so many characters, by the turn of its row. */
const NAMES = [
  // Long goods in one word, as German makes them.
  "rpad('Donaudampfschifffahrtsgesellschaftskapitänsgarten', length, 'WMÄQ')",
  // Right to left, with Latin letters and digits in it.
  "left(repeat('المزرعةالخضراءالكبيرة ABC 123 في وادي النيل ', 8), length)",
  // A family, a flag and a skin colour are one sign of many characters, which may not be cut apart.
  "rtrim(left(repeat('👩‍👩‍👧‍👦🇵🇰👍🏽🍅', 12), length / 2))",
  // Usual words, as many as there may be.
  "left(repeat('Fresh vegetables from the old mill beside the river ', 8), length)",
];

/** Every column with words that people read, and how many characters it takes. */
const COLUMNS: readonly [table: string, column: string, length: number][] = [
  ['users', 'name', 100],
  ['users', 'street', 200],
  ['users', 'city', 100],
  ['user_addresses', 'label', 60],
  ['user_addresses', 'street', 200],
  ['user_addresses', 'city', 100],
  ['farmer_profiles', 'farm_name', 120],
  ['farmer_profiles', 'description', 1000],
  ['categories', 'name', 60],
  ['categories', 'description', 500],
  ['products', 'name', 120],
  ['products', 'description', 1000],
  ['places', 'name', 120],
  ['places', 'street', 200],
  ['places', 'city', 100],
  ['places', 'directions', 500],
  ['orders', 'notes', 1000],
  ['orders', 'place_name', 120],
  ['orders', 'place_directions', 500],
  ['orders', 'pickup_location', 200],
  ['orders', 'street', 200],
  ['orders', 'city', 100],
  ['order_lines', 'name', 120],
  ['order_timeline', 'reason', 500],
  ['messages', 'content', 1000],
  ['reports', 'text', 1000],
];

/** Gives everything in the market names at the limits of their fields, a different kind from row to row. */
export async function writeExtremes(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    for (const [table, column, length] of COLUMNS) {
      const kinds = NAMES.map((name, turn) => `WHEN ${turn} THEN ${name}`).join(' ');
      await client.query(
        `UPDATE ${table} SET ${column} = words.text
         FROM (
           SELECT id, CASE turn % ${NAMES.length} ${kinds} END AS text
           FROM (SELECT ctid AS id, row_number() OVER (ORDER BY ctid) AS turn, ${length} AS length
                 FROM ${table} WHERE ${column} <> '') AS turns
         ) AS words
         WHERE ${table}.ctid = words.id`,
      );
    }
  });
}
