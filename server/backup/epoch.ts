import type pg from 'pg';

/**
 * Gives the event log a new epoch, where this version has one: browsers with events of the market before the restore
 * then fetch everything again. The catalogue is asked, since a backup may be of a version without epochs.
 */
export async function renewEventEpoch(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT WHERE to_regclass('public.event_epoch') IS NOT NULL`);
  if (rows.length === 0) return;
  await client.query(
    `INSERT INTO event_epoch (id, epoch) VALUES (1, gen_random_uuid())
     ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch`,
  );
}
