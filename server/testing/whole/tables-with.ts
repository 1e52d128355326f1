import type { TestMarket } from '../market.ts';

/** Returns the tables, but for `except`, that hold one of the texts somewhere, each with such a row. */
export async function tablesWith(
  { platform: { pool, eventLog } }: TestMarket,
  texts: readonly string[],
  except = '',
): Promise<string[]> {
  await eventLog.sequence();
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname <> $1`,
    [except],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `SELECT t::text AS row FROM "${name}" t WHERE t::text LIKE ANY ($1)`,
      [texts.map((text) => `%${text}%`)],
    );
    if (rows.length > 0) found.push(`${name}: ${rows[0].row}`);
  }
  return found;
}
