import { openSchemaEngine } from './schema-engine.ts';

const connectionString = process.env.DATABASE_URL;
if (!connectionString) {
  console.error('Set DATABASE_URL to the database that is to be migrated.');
  process.exit(1);
}

try {
  const engine = await openSchemaEngine(connectionString);
  const applied = await engine.applyMigrations();
  console.log(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
  process.exit(0);
} catch (error) {
  console.error(`The migrations could not be applied: ${(error as Error).message}`);
  process.exit(1);
}
