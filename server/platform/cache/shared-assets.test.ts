import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createStorage } from '../uploads/storage.ts';
import { publishAssets } from './shared-assets.ts';

const DAY_MS = 86_400_000;
const folder: string = await mkdtemp(path.join(tmpdir(), 'farmgate-assets-'));
const built = path.join(folder, 'built');
const shared = path.join(folder, 'assets');
const storage = createStorage(
  {
    DATA_DIR: folder,
    S3_BUCKET: undefined,
    S3_ENDPOINT: undefined,
    S3_REGION: 'us-east-1',
    S3_FORCE_PATH_STYLE: true,
  },
  { kind: 'assets' },
);
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  await rm(shared, { recursive: true, force: true });
  await mkdir(built, { recursive: true });
  for (const name of ['a-12345678.js', 'a-12345678.js.br', 'a-12345678.js.gz', 'b-12345678.css'])
    await writeFile(path.join(built, name), name);
});

const publish = () => publishAssets(storage, built);
const names = async () => [...(await storage.list()).keys()].sort();
/** Lets a shared file look as if it was written this many days ago. */
const age = (name: string, days: number) => {
  const at = new Date(Date.now() - days * DAY_MS);
  return utimes(path.join(shared, name), at, at);
};

it('shares each file of the release once, as it is without compression', async () => {
  await publish();
  expect(await names()).toEqual(['a-12345678.js', 'b-12345678.css']);
  expect(String(await storage.read('a-12345678.js'))).toBe('a-12345678.js');
  await writeFile(path.join(built, 'a-12345678.js'), 'never read again');
  await publish();
  expect(String(await storage.read('a-12345678.js'))).toBe('a-12345678.js');
});

it('keeps a file of another release for a week after the last server that had it', async () => {
  await storage.write('old-12345678.js', Buffer.from('old'));
  await storage.write('older-12345678.js', Buffer.from('older'));
  await age('old-12345678.js', 7);
  await age('older-12345678.js', 8.1);
  await publish();
  expect(await names()).toEqual(['a-12345678.js', 'b-12345678.css', 'old-12345678.js']);
});

it('writes its own files again, so that others see that a server has them', async () => {
  await publish();
  await age('a-12345678.js', 30);
  await publish();
  const writtenMs = (await storage.list()).get('a-12345678.js') ?? 0;
  expect(Date.now() - writtenMs).toBeLessThan(DAY_MS);
});
