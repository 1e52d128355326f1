import { prepareTemplate } from '../server/testing/database.ts';

/** Creates the migrated database that each bench copies. */
await prepareTemplate();
process.exit(0);
