import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import { createUsers, type TestUser } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { median, ROUNDS, report, round } from './report.ts';

/** Measures 1,000 clients that reconnect at once after 50 missed events each. */
const CLIENTS = 1000;
const MISSED_EVENTS = 50;

const stack = await startStack({ seed: false, workers: 0 });
const people = await createUsers(stack.databaseUrl, 'consumer', CLIENTS);
const database = new pg.Client({ connectionString: stack.databaseUrl });
await database.connect();

/** Records so many public events. @returns the log's last number */
async function recordEvents(count: number): Promise<number> {
  await database.query(
    `INSERT INTO event_outbox (id, name, data, rooms)
     SELECT gen_random_uuid(), 'category.changed', jsonb_build_object('_id', gen_random_uuid()), '{public}'
     FROM generate_series(1, $1)`,
    [count],
  );
  await database.query('SELECT count(*) FROM sequence_events()');
  const { rows } = await database.query<{ seq: string }>('SELECT seq FROM event_log_head');
  return Number(rows[0]?.seq);
}

interface CaughtUp {
  socket: Socket;
  isComplete: boolean;
}

function reconnect({ token }: TestUser, after: number): Promise<CaughtUp> {
  const socket = io(stack.url, {
    auth: { token, after },
    transports: ['websocket'],
    forceNew: true,
  });
  return new Promise((resolve) => {
    let missed = 0;
    socket.on('category.changed', () => missed++);
    socket.once('synced', () => resolve({ socket, isComplete: missed === MISSED_EVENTS }));
    socket.once('resync', () => resolve({ socket, isComplete: false }));
    socket.once('connect_error', () => resolve({ socket, isComplete: false }));
  });
}

const times: number[] = [];
let errors = 0;
for (let turn = 0; turn < ROUNDS; turn++) {
  const head = await recordEvents(MISSED_EVENTS);
  // The server reads events numbered by another process with its next poll.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const begin = performance.now();
  const clients = await Promise.all(
    people.map((person) => reconnect(person, head - MISSED_EVENTS)),
  );
  times.push(performance.now() - begin);
  errors += clients.filter(({ isComplete }) => !isComplete).length;
  for (const { socket } of clients) socket.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 500));
}
report(
  'catch-up',
  [
    {
      clients: CLIENTS,
      'missed events each': MISSED_EVENTS,
      'seconds until all are up to date': round(median(times) / 1000),
      'worst seconds': round(Math.max(...times) / 1000),
      errors,
    },
  ],
  { 'under 5 s with no error': median(times) < 5000 && errors === 0 },
);
await database.end();
await stack.close();
process.exit(0);
