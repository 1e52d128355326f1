// @long It starts programs.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { explainBackupFailure, type Manifest } from './manifest.ts';
import {
  closePlaces,
  type Outcome,
  openFilledPlace,
  openPlace,
  type Place,
  readPictures,
  readRows,
} from './testing/markets.ts';

let folder: string;
const source = await openFilledPlace();
({ folder } = await source.backUp());
afterAll(closePlaces);

/** Connects and holds a lock until it is released. */
async function hold(place: Place, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  return () => client.end();
}

/**
 * Makes a program print the most memory that it ever held. What a process takes from the machine would say less: on a
 * busy one garbage is collected late.
 * @returns the options of Node.js that do so
 */
async function watchMemory(folder: string): Promise<string> {
  const script = path.join(folder, 'watch-memory.mjs');
  await writeFile(
    script,
    `let most = 0;
     const look = () => {
       globalThis.gc();
       const { heapUsed, external } = process.memoryUsage();
       most = Math.max(most, heapUsed + external);
     };
     setInterval(look, 100).unref();
     process.on('exit', () => console.log('held', most));`,
  );
  return `--expose-gc --max-old-space-size=64 --import ${script}`;
}

const heldMegabytes = ({ output }: Outcome): number =>
  Number(/held (\d+)/.exec(output)?.[1]) / 1_000_000;

/** Everything that a refused command must leave as it was. */
const stateOf = async (place: Place) => ({
  rows: await readRows(place),
  pictures: await readPictures(place.folder),
});

describe('a backup', () => {
  afterEach(() => source.untilUnused());

  it('that is killed leaves none, and the next one clears up after it', async () => {
    const to = path.join(source.folder, 'killed');
    // The last table by name: everything else is written when it waits for this one.
    const release = await hold(source, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const { child, ended } = source.start('backup', ['--to', to]);
    await until(async () => {
      const [draft] = await readdir(to).catch((): string[] => []);
      if (draft === undefined) return false;
      const tables = await readdir(path.join(to, draft, 'tables')).catch((): string[] => []);
      return tables.includes('products.gz');
    });
    child.kill('SIGKILL');
    expect((await ended).code).toBe('SIGKILL');
    await release();
    const left = await readdir(to);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\.farmgate-/);
    await source.untilUnused();
    const again = await source.run('backup', ['--to', to]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.output).toContain('Removed what an interrupted backup left.');
    expect((await readdir(to)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('that is stopped leaves nothing at all', async () => {
    const to = path.join(source.folder, 'stopped');
    const release = await hold(source, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const { child, ended } = source.start('backup', ['--to', to]);
    await until(async () => (await readdir(to).catch(() => [])).length > 0);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('Interrupted. Nothing was changed.'),
    });
    await release();
    expect(await readdir(to)).toEqual([]);
  });

  it('is refused while another one of the same market runs', async () => {
    const release = await hold(source, 'SELECT pg_advisory_xact_lock(47110003)');
    expect(await source.run('backup', [])).toEqual({
      code: 1,
      output: 'Another backup or restore of this market is running. Wait until it ends.\n',
    });
    await release();
  });

  it('that meets a full disk says so and keeps nothing', async () => {
    const to = path.join(source.folder, 'full');
    await mkdir(to);
    // A limit on the size of files fails writes as a full disk does, for every user and without a mount.
    const program = `trap '' XFSZ; ulimit -f 1; exec "$0" dist/server/backup.js --to "$1"`;
    const env = { ...process.env, DATABASE_URL: source.url, DATA_DIR: source.folder };
    const ended = spawnSync('sh', ['-c', program, process.execPath, to], {
      env: { ...env, NODE_ENV: 'test', JWT_SECRET: '' },
      encoding: 'utf8',
    });
    expect(ended.stderr).toMatch(/^The disk with .* is full\. Nothing was kept: free some space/);
    expect(ended.status).toBe(1);
    expect(await readdir(to)).toEqual([]);
  });

  it('needs a folder that it may write', async () => {
    const file = path.join(source.folder, 'a-file');
    await writeFile(file, '');
    expect(await source.run('backup', ['--to', file])).toEqual({
      code: 1,
      output: `${file} is a file where a folder is needed. Nothing was changed.\n`,
    });
    // Root may write everywhere else.
    const closed = process.getuid?.() === 0 ? '/sys/farmgate' : path.join(source.folder, 'closed');
    if (process.getuid?.() !== 0) await mkdir(closed).then(() => chmod(closed, 0o500));
    await source.untilUnused();
    const ended = await source.run('backup', ['--to', closed]);
    expect(ended.code).toBe(1);
    expect(ended.output).toMatch(/Nothing was changed\.\n$/);
    expect(ended.output).not.toMatch(/ at .*:\d+/);
  });

  it.each([
    [['--keep', '0'], '--keep takes a whole number from 1.'],
    [['--keep', 'two'], '--keep takes a whole number from 1.'],
    [['--into', 'x'], "Unknown option '--into'"],
  ])('refuses %j with how it is called', async (args, complaint) => {
    const ended = await source.run('backup', args);
    expect(ended.code).toBe(1);
    expect(ended.output).toContain(complaint);
    expect(ended.output).toContain('npm run backup -- [--to folder]');
  });

  it('says what is wrong with the database', async () => {
    const empty = await openPlace();
    expect(await empty.run('backup', [])).toMatchObject({
      code: 1,
      output: expect.stringContaining('This database holds no market'),
    });
    const away = { DATABASE_URL: 'postgres://farmgate:x@127.0.0.1:1/none' };
    expect(await empty.run('backup', [], away)).toEqual({
      code: 1,
      output: 'Postgres cannot be reached: check DATABASE_URL and that the database runs.\n',
    });
  });

  it('of a large table, and its restore, hold little of it in memory', async () => {
    await source.query(
      `INSERT INTO event_log (seq, id, name, data, rooms, at)
       SELECT 1000000 + n, gen_random_uuid(), 'category.changed',
              json_build_object('_id', repeat(md5(n::text), 40)), '{}', now()
       FROM generate_series(1, 100000) n`,
    );
    const watched = { NODE_OPTIONS: await watchMemory(source.folder) };
    const to = path.join(source.folder, 'large');
    const backedUp = await source.run('backup', ['--to', to, '--without-pictures'], watched);
    expect(backedUp.code).toBe(0);
    // The rows alone are 130 MB.
    expect(heldMegabytes(backedUp)).toBeLessThan(64);
    const target = await openPlace();
    const [made = ''] = await readdir(to);
    const from = ['--from', path.join(to, made)];
    const restored = await target.run('restore', from, watched);
    expect(restored.code).toBe(0);
    expect(heldMegabytes(restored)).toBeLessThan(64);
    const sum = 'SELECT count(*), sum(hashtextextended(data::text, seq)) FROM event_log';
    expect(await target.query(sum)).toEqual(await source.query(sum));
    await source.query('DELETE FROM event_log WHERE seq > 1000000');
  });
});

describe('a restore', () => {
  /** Refused restores leave it empty. */
  let empty: Place;
  beforeAll(async () => {
    empty = await openPlace();
  });

  /** Makes a copy of the backup and damages it. */
  async function copyDamaged(damage: (copy: string) => Promise<unknown>): Promise<string> {
    const copy = path.join(source.folder, 'damaged');
    await rm(copy, { recursive: true, force: true });
    await cp(folder, copy, { recursive: true });
    await damage(copy);
    return copy;
  }

  const flipByte = async (file: string) => {
    const content = await readFile(file);
    const at = Math.floor(content.length / 2);
    content[at] = (content[at] ?? 0) ^ 1;
    await writeFile(file, content);
  };
  const changeManifest = (change: (manifest: Manifest) => unknown) => async (copy: string) => {
    const file = path.join(copy, 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
    change(manifest);
    await writeFile(file, JSON.stringify(manifest));
  };
  const firstPicture = async (copy: string) =>
    path.join(copy, 'pictures', (await readdir(path.join(copy, 'pictures')))[0] ?? '');

  it.each<[what: string, damage: (copy: string) => Promise<unknown>, sentence: RegExp]>([
    [
      'a changed byte',
      (copy) => flipByte(path.join(copy, 'tables/orders.gz')),
      /orders\.gz in .* is damaged/,
    ],
    [
      'a cut file',
      (copy) => writeFile(path.join(copy, 'tables/orders.gz'), ''),
      /orders\.gz in .* is damaged/,
    ],
    [
      'a missing file',
      (copy) => rm(path.join(copy, 'tables/orders.gz')),
      /orders\.gz in .* is missing/,
    ],
    [
      'a changed picture',
      async (copy) => flipByte(await firstPicture(copy)),
      /\.webp in .* is damaged/,
    ],
    ['a missing picture', async (copy) => rm(await firstPicture(copy)), /\.webp in .* is missing/],
    [
      'a changed list of pictures',
      (copy) => flipByte(path.join(copy, 'pictures.sha256')),
      /pictures\.sha256 in .* is damaged/,
    ],
    [
      'a cut manifest',
      (copy) => writeFile(path.join(copy, 'manifest.json'), '{"product":'),
      /manifest\.json in .* is damaged/,
    ],
    ['no manifest', (copy) => rm(path.join(copy, 'manifest.json')), /is not a backup/],
    ['a missing table', changeManifest(({ tables }) => tables.pop()), /manifest is damaged/],
    [
      'a file outside',
      changeManifest(({ tables }) => Object.assign(tables[0] ?? {}, { file: '../x' })),
      /manifest\.json in .* is damaged/,
    ],
    [
      'a newer form',
      changeManifest((manifest) => Object.assign(manifest, { format: 99 })),
      /newer version of Farmgate/,
    ],
    [
      'a migration of a newer version',
      changeManifest(({ migrations }) =>
        migrations.push({ name: '29990101000000_later', checksum: '' }),
      ),
      /newer version of Farmgate: it has the migration 29990101000000_later/,
    ],
    [
      'a build from before the first release',
      changeManifest(({ migrations }) =>
        migrations.splice(0, 1, { name: '20261201000000_market', checksum: '' }),
      ),
      /made by an unreleased version of Farmgate.* Restore it with the build that made it/,
    ],
    [
      'a migration that differs',
      changeManifest(({ migrations }) => Object.assign(migrations[0] ?? {}, { checksum: 'other' })),
      /whose migration \w+ differs/,
    ],
  ])('refuses %s with a sentence and changes nothing', async (_what, damage, sentence) => {
    const copy = await copyDamaged(damage);
    const error: unknown = await empty.restore(copy).catch((thrown: unknown) => thrown);
    const explained = explainBackupFailure(error, copy);
    expect(explained).toMatch(sentence);
    expect(explained).not.toMatch(/\n {4}at /);
    expect(await stateOf(empty)).toEqual({ rows: {}, pictures: {} });
  });

  it('ends the program with the sentence alone', async () => {
    const copy = await copyDamaged((copy) => flipByte(path.join(copy, 'tables/orders.gz')));
    const { code, output } = await empty.run('restore', ['--from', copy]);
    expect(output).toMatch(/orders\.gz in .* is damaged/);
    expect(output).not.toMatch(/\n {4}at /);
    expect(code).toBe(1);
    expect(await stateOf(empty)).toEqual({ rows: {}, pictures: {} });
  });

  it('refuses a market with people unless it may replace it', async () => {
    const before = await stateOf(source);
    expect(await source.run('restore', ['--from', folder])).toMatchObject({
      code: 1,
      output: expect.stringContaining('add --replace. Nothing was changed.'),
    });
    expect(await stateOf(source)).toEqual(before);
  });

  it('refuses a database of something else, even to replace it', async () => {
    const other = await openPlace();
    await other.query('CREATE TABLE ledger (id int)');
    const ended = await other.run('restore', ['--from', folder, '--replace']);
    expect(ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('holds tables of something else'),
    });
    expect(await readRows(other)).toEqual({ ledger: [] });
  });

  it('refuses a database that is in use', async () => {
    const target = await openPlace();
    const release = await hold(target, 'SELECT');
    expect(await target.run('restore', ['--from', folder])).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop the servers and workers of this market first'),
    });
    await release();
    expect(await target.run('restore', ['--from', folder])).toMatchObject({ code: 0 });
  });

  it('requires the place of the backup', async () => {
    const target = await openPlace();
    expect(await target.run('restore', [])).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm run restore -- --from folder'),
    });
    expect(await target.run('restore', ['--from', '/nowhere'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('/nowhere is not a backup'),
    });
  });

  it('with --check says whether a backup is whole and touches no database', async () => {
    const away = { DATABASE_URL: 'postgres://farmgate:x@127.0.0.1:1/none' };
    expect(await source.run('restore', ['--from', folder, '--check'], away)).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^This backup is whole: \d+ rows in \d+ tables and \d+ picture/,
      ),
    });
    const copy = await copyDamaged((copy) => flipByte(path.join(copy, 'tables/users.gz')));
    expect(await source.run('restore', ['--from', copy, '--check'], away)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/damaged/),
    });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'that ends by %s with all rows loaded changes nothing, and works the next time',
    async (signal) => {
      const target = await openFilledPlace();
      await target.query("INSERT INTO categories (name, name_key) VALUES ('Here', 'here')");
      const before = await stateOf(target);
      // A bucket that never answers: the restore waits for it in the middle of its transaction.
      const bucket = createServer(() => {});
      bucket.listen(0, '127.0.0.1');
      await once(bucket, 'listening');
      const asked = once(bucket, 'request');
      const { child, ended } = target.start('restore', ['--from', folder, '--replace'], {
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'name',
        AWS_SECRET_ACCESS_KEY: 'secret',
      });
      await asked;
      child.kill(signal);
      bucket.closeAllConnections();
      bucket.close();
      const { code } = await ended;
      expect([signal, 1]).toContain(code);
      expect(await stateOf(target)).toEqual(before);
      await target.untilUnused();
      expect(await target.run('restore', ['--from', folder, '--replace'])).toMatchObject({
        code: 0,
      });
      expect(await target.query("SELECT FROM categories WHERE name = 'Here'")).toEqual([]);
    },
  );
});
