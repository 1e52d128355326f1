import type pg from 'pg';

/** Gives the event log a new epoch: browsers with events of the market before the restore fetch everything again. */
export async function renewEventEpoch(client: pg.Client): Promise<void> {
  await client.query('UPDATE event_epoch SET epoch = gen_random_uuid()');
}
