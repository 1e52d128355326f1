import { migrateDatabase, UnusableDatabaseError } from './migrate-database.ts';

// A migration takes one session to its end, which a pooler may not give.
const connectionString = process.env.DIRECT_URL || process.env.DATABASE_URL;
if (!connectionString || !/^postgres(ql)?:\/\//.test(connectionString)) {
  console.error('Set DATABASE_URL to the database that is to be migrated: postgres://…');
  process.exit(1);
}

try {
  const applied = await migrateDatabase(connectionString);
  console.log(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
  process.exit(0);
} catch (error) {
  const { message } = error as Error;
  if (error instanceof UnusableDatabaseError) console.error(message);
  else if (/Can't reach database server/.test(message)) {
    console.error('Postgres cannot be reached: check DATABASE_URL and that the database runs.');
  } else console.error(`The migrations could not be applied: ${message}`);
  process.exit(1);
}
