import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createStorage } from '../../server/platform/uploads/storage.ts';
import { createTestDatabase, openTestDatabase } from '../../server/testing/database.ts';

/** Opens an empty market for its demo: a database and a folder for pictures, without processes. */
export async function openMarket() {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-seed-'));
  const { db, close } = openTestDatabase(database.url, 6);
  const storage = createStorage({
    DATA_DIR: folder,
    S3_BUCKET: undefined,
    S3_ENDPOINT: undefined,
    S3_REGION: '',
    S3_FORCE_PATH_STYLE: true,
  });
  return {
    db,
    storage,
    uploads: path.join(folder, 'uploads'),
    close: async () => {
      await close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
