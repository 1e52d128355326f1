import { openSchemaEngine } from './schema-engine.ts';

const connectionString = process.env.DATABASE_URL;
if (!connectionString || !/^postgres(ql)?:\/\//.test(connectionString)) {
  console.error('Set DATABASE_URL to the database that is to be migrated: postgres://…');
  process.exit(1);
}

try {
  const engine = await openSchemaEngine(connectionString);
  const applied = await engine.applyMigrations();
  console.log(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
  process.exit(0);
} catch (error) {
  const { message } = error as Error;
  console.error(
    /Can't reach database server/.test(message)
      ? 'Postgres cannot be reached: check DATABASE_URL and that the database runs.'
      : `The migrations could not be applied: ${message}`,
  );
  process.exit(1);
}
