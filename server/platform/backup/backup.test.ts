// @long It starts programs.

import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLaterBuild } from '../../../prisma/testing/later-build.ts';
import { until } from '../../../testing/until.ts';
import { orderInput, productInput, startTestMarket } from '../../testing/market.ts';
import { pictureNames } from '../uploads/storage.ts';
import {
  closePlaces,
  ODD_TEXTS,
  openFilledPlace,
  openPlace,
  type Place,
  readPictures,
  readRows,
  readSchema,
} from './testing/markets.ts';

/** The engine can be opened once in a process, so the tests ask the program. */
const UP_TO_DATE = { code: 0, output: 'The database is up to date.\n' };

let folder: string;
const source = await openFilledPlace();
const secret = await readFile(source.secretFile, 'utf8');
({ folder } = await source.backUp({ secret }));
afterAll(closePlaces);

describe('a backup restored into an empty database', () => {
  let target: Place;
  beforeAll(async () => {
    target = await openPlace();
    await target.restore(folder);
  });

  it('has the same rows in every table', async () => {
    // The backup itself was noted in the source after its rows were copied, and SQL sources were applied again.
    // The epoch is another one: see below.
    const except = ['backups', 'event_epoch', 'sql_sources'];
    const rows = await readRows(source, except);
    expect(Object.values(rows).flat().length).toBeGreaterThan(1000);
    expect(rows.event_outbox).toHaveLength(1);
    expect(await readRows(target, except)).toEqual(rows);
    const held = 'SELECT restored_at FROM timers WHERE restored_at IS NOT NULL';
    expect((await target.query(held)).length).toBeGreaterThan(0);
    const hashes = 'SELECT name, hash FROM sql_sources ORDER BY name';
    expect(await target.query(hashes)).toEqual(await source.query(hashes));
  });

  it('has the same tables, indexes, checks, triggers and functions', async () => {
    expect(await readSchema(target)).toEqual(await readSchema(source));
    expect(await target.run('migrate', [])).toEqual(UP_TO_DATE);
  });

  it('has the same pictures, byte by byte, and the secret, for its owner alone', async () => {
    const pictures = await readPictures(source.folder);
    expect(Object.keys(pictures).length).toBeGreaterThan(100);
    expect(await readPictures(target.folder)).toEqual(pictures);
    expect(await readFile(target.secretFile, 'utf8')).toBe('s'.repeat(43));
    expect((await stat(target.secretFile)).mode & 0o777).toBe(0o600);
  });

  it('gives numbers above those it gave', async () => {
    const next = `SELECT nextval('event_outbox_ordinal_seq')::int AS next`;
    const [restored] = await target.query<{ next: number }>(next);
    const [original] = await source.query<{ next: number }>(next);
    expect(restored).toEqual(original);
  });

  it('is a market that people sign in to and order from', async () => {
    const market = await startTestMarket({ DATABASE_URL: target.url, DATA_DIR: target.folder });
    try {
      const { body: signedIn } = await market.call('POST', '/auth/login', {
        body: { email: 'consumer@farmgate.test', password: 'password123' },
      });
      const consumer = { ...signedIn.user, id: signedIn.user._id, token: signedIn.token };
      const farmer = await market.join('farmer');
      const [category] = (await market.get('/categories')).body.data;
      const leeks = productInput(category._id, { name: 'Leeks after the fire' });
      const { body: product } = await market.post('/products', farmer, leeks);
      const readHead = async () => {
        const [head] = await target.query<{ seq: string }>('SELECT seq FROM event_log_head');
        return Number(head?.seq);
      };
      const before = await readHead();
      const placed = await market.post(
        '/orders',
        consumer,
        orderInput(farmer.id, [{ product: product.data._id, quantity: 2, price: 2.5 }]),
      );
      expect(placed.body).toMatchObject({ success: true, data: { status: 'pending' } });
      await until(async () => (await readHead()) > before);
      const found = await market.get('/products?search=leeks%20after');
      expect(found.body.count).toBe(1);
    } finally {
      await market.close();
    }
  });
});

describe('a backup', () => {
  it('is readable by its owner alone, and noted in the database', async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of ['manifest.json', 'jwt-secret', 'tables/users.gz']) {
      expect((await stat(path.join(folder, name))).mode & 0o777, name).toBe(0o600);
    }
    const [row] = await source.query('SELECT * FROM backups ORDER BY finished_at LIMIT 1');
    expect(row).toMatchObject({
      name: path.basename(folder),
      folder: source.to,
      made_by: expect.stringContaining('@'),
      is_verified: true,
    });
    expect(Number(row?.size_bytes)).toBeGreaterThan(1000);
  });

  it('is of one instant while the market is written', async () => {
    const place = await openFilledPlace();
    const client = new pg.Client({ connectionString: place.url });
    await client.connect();
    let isWriting = true;
    let written = 0;
    const writing = (async () => {
      for (; isWriting; written++) {
        // One in the first table that is copied and one in the last.
        await client.query('BEGIN');
        await client.query('INSERT INTO categories (name, name_key) VALUES ($1, $1)', [
          `pair ${written}`,
        ]);
        await client.query('INSERT INTO timers (key, kind, due_at) VALUES ($1, $1, now())', [
          `pair ${written}`,
        ]);
        await client.query('COMMIT');
      }
    })();
    await until(() => written > 20);
    const made = await place.backUp();
    isWriting = false;
    await writing;
    await client.end();
    const target = await openPlace();
    await target.restore(made.folder);
    const pairs = (column: string, table: string) =>
      target.query<{ pair: string }>(
        `SELECT ${column} AS pair FROM ${table} WHERE ${column} LIKE 'pair %' ORDER BY 1`,
      );
    const first = await pairs('name', 'categories');
    expect(first.length).toBeGreaterThan(20);
    expect(first).toEqual(await pairs('key', 'timers'));
  });

  it('counts pictures that the market itself has lost', async () => {
    const place = await openFilledPlace();
    const [upload] = await place.query<{ id: string }>('SELECT id FROM uploads LIMIT 1');
    await place.storage.remove(pictureNames(upload?.id ?? '').small);
    const { manifest, folder: made } = await place.backUp();
    expect(manifest.pictures).toMatchObject({ missing: 1 });
    const target = await openPlace();
    await target.restore(made);
    expect(await readPictures(target.folder)).toEqual(await readPictures(place.folder));
  });

  it('may leave the pictures out, and keeps those that are there', async () => {
    const made = await source.backUp({ storage: undefined, to: path.join(source.folder, 'bare') });
    expect(existsSync(path.join(made.folder, 'pictures'))).toBe(false);
    const target = await openPlace();
    await target.restore(made.folder);
    expect(await readPictures(target.folder)).toEqual({});
  });

  it('of an older version is brought up to date', async () => {
    // This build is the older one. The later migration changes rows of the backup, and writes some that triggers count.
    const later = await makeLaterBuild(`
      ALTER TABLE categories ADD COLUMN rank INTEGER NOT NULL DEFAULT 1;
      UPDATE categories SET rank = 2 WHERE name LIKE 'Odd %';
      CREATE TABLE later_names AS SELECT name FROM categories;
      INSERT INTO users (name, email, password_hash, role)
        SELECT 'Ann', 'ann' || n || '@farmgate.test', '', 'admin' FROM generate_series(1, 7) n`);
    try {
      const runLater = (place: Place, program: 'restore' | 'migrate', args: string[] = []) =>
        place.run(program, args, {}, later.folder);
      const target = await openPlace();
      const restored = await runLater(target, 'restore', ['--from', folder]);
      expect(restored, restored.output).toMatchObject({ code: 0 });
      expect(await runLater(target, 'migrate')).toEqual(UP_TO_DATE);
      const ranks = 'SELECT rank, count(*)::int FROM categories GROUP BY 1 ORDER BY 1';
      const [{ count } = { count: 0 }] = await source.query<{ count: number }>(
        'SELECT count(*)::int FROM categories',
      );
      expect(await target.query(ranks)).toEqual([
        { rank: 1, count: count - ODD_TEXTS.length },
        { rank: 2, count: ODD_TEXTS.length },
      ]);
      expect(await target.query('SELECT FROM later_names')).toHaveLength(count);
      const counted =
        'SELECT role, sum(users)::int AS users FROM user_totals GROUP BY 1 ORDER BY 1';
      const people = await source.query<{ role: string; users: number }>(counted);
      expect(await target.query(counted)).toEqual(
        people.map(({ role, users }) => ({ role, users: role === 'admin' ? users + 7 : users })),
      );
      const fresh = await openPlace();
      expect(await runLater(fresh, 'migrate')).toMatchObject({ code: 0 });
      expect(await readSchema(target)).toEqual(await readSchema(fresh));
    } finally {
      await later.remove();
    }
  });

  it('keeps as many as configured, and nothing of others', async () => {
    const to = path.join(source.folder, 'kept');
    for (let count = 0; count < 3; count++) {
      const before = existsSync(to) ? (await readdir(to)).length : 0;
      // Names have seconds: one that comes too soon is refused, and may try again, once Postgres knows that the refused
      // one is gone.
      await until(() =>
        source.backUp({ to, storage: undefined, keep: 2 }).then(
          () => true,
          (error: Error) => {
            if (!/exists already|Another backup/.test(error.message)) throw error;
            return false;
          },
        ),
      );
      expect(await readdir(to)).toHaveLength(Math.min(2, before + 1));
    }
    expect((await readdir(to)).every((name) => name.startsWith('farmgate-2'))).toBe(true);
  });
});

describe('a restore with --replace', () => {
  it('gives up what was there, and lets the event numbers go on above it', async () => {
    const target = await openFilledPlace();
    await target.query(`
      UPDATE event_log_head SET seq = 5000;
      INSERT INTO categories (name, name_key) VALUES ('Later', 'later')`);
    await target.restore(folder, { replace: true });
    const except = ['backups', 'event_epoch', 'sql_sources', 'event_log_head', 'followers'];
    expect(await readRows(target, except)).toEqual(await readRows(source, except));
    expect(await target.query('SELECT seq::int FROM event_log_head')).toEqual([{ seq: 5000 }]);
    const lines = await target.query("SELECT FROM categories WHERE name = 'Later'");
    expect(lines).toEqual([]);
  });

  it('gives the event log a new epoch', async () => {
    const place = await openFilledPlace();
    const read = 'SELECT epoch FROM event_epoch';
    const before = await place.query(read);
    const made = await place.backUp({ storage: undefined });
    await place.restore(made.folder, { replace: true });
    const after = await place.query(read);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });
});
