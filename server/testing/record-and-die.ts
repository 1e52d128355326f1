import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../prisma/client.ts';
import { record } from '../platform/event-log.ts';

/** A process that is killed after its commit, before the event got its number. */
const { db } = openDatabase({ connectionString: process.env.DATABASE_URL ?? '', poolSize: 2 });
await db.$transaction((tx) =>
  record(tx, {
    name: 'category.changed',
    data: { _id: process.env.EVENT_ABOUT ?? randomUUID() },
    rooms: ['public'],
  }),
);
process.kill(process.pid, 'SIGKILL');
