import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';

/** Records an event and kills itself after the commit, before the event is numbered. */
const { db } = openDatabase({ connectionString: process.env.DATABASE_URL ?? '', poolSize: 2 });
await db.$transaction((tx) =>
  record(tx, {
    name: 'category.changed',
    data: { _id: process.env.EVENT_ABOUT ?? randomUUID() },
    rooms: ['public'],
  }),
);
process.kill(process.pid, 'SIGKILL');
