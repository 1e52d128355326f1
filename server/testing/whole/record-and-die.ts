import { randomUUID } from 'node:crypto';
import { record } from '../../platform/events/event-log.ts';
import { openTestDatabase } from '../database.ts';

/** Records an event and kills itself after the commit, before the event is numbered. */
const { db } = openTestDatabase(process.env.DATABASE_URL ?? '', 2);
await db.$transaction((tx) =>
  record(tx, {
    name: 'category.changed',
    data: { _id: process.env.EVENT_ABOUT ?? randomUUID() },
    rooms: ['public'],
  }),
);
process.kill(process.pid, 'SIGKILL');
