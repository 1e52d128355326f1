import type pg from 'pg';
import type { LoggedEvent } from './event.ts';

/** The default limit of {@link EventReader.read}. */
export const READ_BATCH = 1000;

interface Row {
  seq: string;
  id: string;
  name: string;
  data: unknown;
  rooms: string[];
  request_id: string | null;
  command_id: string | null;
  at: Date;
}

const toEvent = (row: Row) =>
  ({
    seq: Number(row.seq),
    id: row.id,
    name: row.name,
    data: row.data,
    rooms: row.rooms,
    requestId: row.request_id,
    commandId: row.command_id,
    at: row.at.toISOString(),
  }) as LoggedEvent;

export type EventReader = ReturnType<typeof createEventReader>;

/** Creates functions that read and prune the log's table. */
export function createEventReader(pool: pg.Pool) {
  /** Returns up to `limit` events after `after`, in order. */
  async function read(after: number, limit = READ_BATCH): Promise<LoggedEvent[]> {
    const { rows } = await pool.query<Row>({
      name: 'read_events',
      text: 'SELECT * FROM event_log WHERE seq > $1 ORDER BY seq LIMIT $2',
      values: [after, limit],
    });
    return rows.map(toEvent);
  }

  /**
   * Returns what a disconnected client missed: up to `limit` events after `after` and up to `upTo`, in
   * order, of one of `rooms` or of any product or farm's slots, since anybody may watch those. Returns undefined when
   * the log was pruned beyond `after`.
   */
  async function readMissed(
    after: number,
    upTo: number,
    rooms: readonly string[],
    limit: number,
  ): Promise<LoggedEvent[] | undefined> {
    const { rows } = await pool.query<Row>({
      name: 'read_missed_events',
      text: `(SELECT * FROM event_log WHERE seq = $1 + 1)
             UNION ALL
             (SELECT * FROM event_log
              WHERE seq > $1 AND seq <= $2
                AND (rooms && $3 OR EXISTS (
                  SELECT 1 FROM unnest(rooms) AS room
                  WHERE starts_with(room, 'product:') OR starts_with(room, 'watched-farm:')))
              ORDER BY seq LIMIT $4)
             ORDER BY seq`,
      values: [after, upTo, rooms, limit],
    });
    // The first row only proves that nothing after `after` was pruned.
    return Number(rows[0]?.seq) === after + 1 ? rows.slice(1).map(toEvent) : undefined;
  }

  /** Returns the last number given. */
  async function head(): Promise<number> {
    const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM event_log_head');
    return Number(rows[0]?.seq ?? 0);
  }

  /** Returns the id of this history of events; a restore from a backup gives it another one. */
  async function epoch(): Promise<string> {
    const { rows } = await pool.query<{ epoch: string }>('SELECT epoch FROM event_epoch');
    const [row] = rows;
    if (!row) throw new Error('The table event_epoch has no row.');
    return row.epoch;
  }

  /** Deletes all events before the first one younger than `days`. @returns how many */
  async function prune(days: number): Promise<number> {
    // Delete only from the start: `readMissed` cannot detect a gap further on.
    const { rowCount } = await pool.query(
      `DELETE FROM event_log WHERE seq < coalesce(
         (SELECT seq FROM event_log WHERE at >= now() - make_interval(days => $1) ORDER BY seq LIMIT 1),
         (SELECT seq + 1 FROM event_log_head))`,
      [days],
    );
    return rowCount ?? 0;
  }

  return { read, readMissed, head, epoch, prune };
}
