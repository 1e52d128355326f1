import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import { startStack } from '../e2e/stack.ts';
import { makePeople, type Someone } from './fill.ts';
import { median, ROUNDS, report, round } from './report.ts';

/** 1,000 clients that come back at once, each with 50 events missed. */
const CLIENTS = 1000;
const MISSED = 50;

const stack = await startStack({ seed: false, workers: 0 });
const people = await makePeople(stack.databaseUrl, 'consumer', CLIENTS);
const database = new pg.Client({ connectionString: stack.databaseUrl });
await database.connect();

/** Lets so many public things happen, as the market records them. @returns the log's head after it */
async function happen(count: number): Promise<number> {
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

interface ComingBack {
  socket: Socket;
  isWhole: boolean;
}

function comeBack({ token }: Someone, after: number): Promise<ComingBack> {
  const socket = io(stack.url, {
    auth: { token, after },
    transports: ['websocket'],
    forceNew: true,
  });
  return new Promise((resolve) => {
    let missed = 0;
    socket.on('category.changed', () => missed++);
    socket.once('synced', () => resolve({ socket, isWhole: missed === MISSED }));
    socket.once('resync', () => resolve({ socket, isWhole: false }));
    socket.once('connect_error', () => resolve({ socket, isWhole: false }));
  });
}

const times: number[] = [];
let errors = 0;
for (let turn = 0; turn < ROUNDS; turn++) {
  const head = await happen(MISSED);
  // The server hears of what another process numbered through its next look at the log.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const begin = performance.now();
  const back = await Promise.all(people.map((person) => comeBack(person, head - MISSED)));
  times.push(performance.now() - begin);
  errors += back.filter(({ isWhole }) => !isWhole).length;
  for (const { socket } of back) socket.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 500));
}
report(
  'catch-up',
  [
    {
      clients: CLIENTS,
      'missed each': MISSED,
      'seconds until all are whole': round(median(times) / 1000),
      'worst seconds': round(Math.max(...times) / 1000),
      errors,
    },
  ],
  { 'under 5 s with no error': median(times) < 5000 && errors === 0 },
);
await database.end();
await stack.close();
process.exit(0);
