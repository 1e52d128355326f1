import { prepareTemplate } from '../server/testing/database.ts';

/** Makes the migrated database that each bench copies its own from. */
await prepareTemplate();
process.exit(0);
