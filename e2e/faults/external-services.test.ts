import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scaled, until } from '../../testing/until.ts';
import { openMailbox } from '../../workers/testing/mailbox.ts';
import { openPushService } from '../../workers/testing/push-service.ts';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { callApi, formatSeconds, openDatabase, order, printFigure, sized } from './helpers.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
const onCleanup = (cleanup: () => Promise<unknown> | unknown) => cleanups.unshift(cleanup);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'farmgate-outside-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function openStack(workers: number, env: Record<string, string>): Promise<Stack> {
  const stack = await startStack({ seed: false, workers, env });
  onCleanup(() => stack.close());
  return stack;
}

async function createParties(stack: Stack) {
  const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
  const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
    { id: string; farmer: string },
  ];
  const database = openDatabase(stack.databaseUrl);
  onCleanup(() => database.end());
  return { farmer, consumer, product, database };
}

/** Makes the folder of pictures full. @returns how, and a function that frees space */
async function fillFolder(
  uploads: string,
): Promise<{ how: string; freeSpace: () => Promise<void> }> {
  await mkdir(uploads, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', uploads]);
  if (mounted.status === 0) {
    onCleanup(() => spawnSync('umount', [uploads]));
    await writeFile(path.join(uploads, 'filler'), Buffer.alloc(60 * 1024));
    return {
      how: 'a file system of 64 KB that is full',
      freeSpace: async () => {
        await rm(path.join(uploads, 'filler'));
        spawnSync('mount', ['-o', 'remount,size=16m', uploads]);
      },
    };
  }
  // Only root may mount; otherwise a file takes the folder's place.
  await rm(uploads, { recursive: true });
  await writeFile(uploads, '');
  return { how: 'a file instead of the folder', freeSpace: () => rm(uploads) };
}

it('refuses only uploads while the disk is full', async () => {
  const uploads = path.join(folder, 'uploads');
  const { how, freeSpace } = await fillFolder(uploads);
  const stack = await openStack(0, { DATA_DIR: folder });
  const { farmer, consumer, product } = await createParties(stack);
  const noise = { data: randomBytes(300 * 300 * 3), info: { width: 300, height: 300 } };
  const picture = await sharp(noise.data, { raw: { ...noise.info, channels: 3 } })
    .jpeg()
    .toBuffer();
  const upload = async () => {
    const form = new FormData();
    form.append('images', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'a.jpg');
    const response = await fetch(`${stack.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${farmer.token}` },
      body: form,
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };

  const refused = await upload();
  expect(refused.status).toBe(503);
  expect(refused.body.code).toBe('STORAGE_UNAVAILABLE');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await order(stack.url, { token: consumer.token, product })).status).toBe(201);
  expect((await callApi(stack.url, 'GET', '/products')).status).toBe(200);

  await freeSpace();
  const accepted = await upload();
  expect(accepted.status).toBe(201);
  const shown = await fetch(`${stack.url}${accepted.body.data[0].url}`);
  expect(shown.status).toBe(200);
  expect(stack.servers[0]?.isRunning()).toBe(true);
  printFigure(
    'disk full for pictures',
    `(${how}) an upload is refused with 503 and Retry-After, orders and reads succeed; with space again the same upload is accepted`,
  );
});

it('sends each mail once after the mail server was away for an hour', async () => {
  const mailbox = await openMailbox();
  onCleanup(() => mailbox.close());
  // One hour scaled to a hundredth: 36 s, with retry delays starting at 20 ms instead of 2 s.
  const backoffMs = 20;
  const awayMs = sized(6000, 36_000);
  const stack = await openStack(1, {
    SMTP_URL: mailbox.url,
    JOB_BACKOFF_MS: String(backoffMs),
    UNREAD_EMAIL_AFTER_SECONDS: '0',
  });
  const { consumer, product, database, farmer } = await createParties(stack);
  const others = await createUsers(stack.databaseUrl, 'consumer', 9);
  await mailbox.close();

  const orders: string[] = [];
  for (const { token } of [consumer, ...others]) {
    const placed = await order(stack.url, { token, product });
    expect(placed.status).toBe(201);
    orders.push(placed.body.data._id);
  }
  for (const id of orders) {
    const accepted = await callApi(stack.url, 'PUT', `/orders/${id}`, {
      token: farmer.token,
      body: { status: 'accepted' },
    });
    expect(accepted.status).toBe(200);
  }
  await sleep(awayMs);
  await until('the in-app notifications', async () => {
    const { rowCount } = await database.query(
      `SELECT FROM notifications WHERE kind LIKE 'order.%'`,
    );
    return rowCount === 20;
  });
  expect(mailbox.mails).toEqual([]);

  await mailbox.open();
  const openAt = Date.now();
  await until(
    'all mails to be sent',
    async () => {
      const { rows } = await database.query<{ status: string; count: number }>(
        `SELECT status::text, count(*)::int AS count FROM notification_deliveries
         WHERE channel = 'email' GROUP BY status ORDER BY status`,
      );
      // The farmer has answered every order before its plan mails them.
      return isDeepStrictEqual(rows, [{ status: 'sent', count: 10 }]);
    },
    scaled(120_000),
  );
  const after = Date.now() - openAt;
  const unique = new Set(mailbox.mails.map(({ id }) => id));
  expect(unique.size).toBe(mailbox.mails.length);
  const { rows } = await database.query<{ email: string }>(
    `SELECT email FROM users WHERE role = 'consumer'`,
  );
  for (const { email } of rows) expect(mailbox.mailsTo(email)).toHaveLength(1);
  expect(stack.workers[0]?.isRunning()).toBe(true);
  printFigure(
    'mail server away',
    `for ${formatSeconds(awayMs)} with retry delays starting at ${backoffMs} ms instead of 2 s: orders and in-app notifications continued; 10 notifications in ${unique.size} mails, each sent once, within ${formatSeconds(after)} of its return`,
  );
});

it('removes a push subscription that is gone and delivers to the others', async () => {
  const push = await openPushService();
  onCleanup(() => push.close());
  const cert = path.join(folder, 'push.pem');
  await writeFile(cert, push.cert);
  const stack = await openStack(1, { NODE_EXTRA_CA_CERTS: cert, JOB_BACKOFF_MS: '100' });
  const { consumer, product, database, farmer } = await createParties(stack);
  const key = await callApi(stack.url, 'GET', '/notifications/push-key', { token: consumer.token });
  push.expectSender(key.body.data.publicKey);
  for (const browser of ['phone', 'laptop', 'lost']) {
    const { status } = await callApi(stack.url, 'POST', '/notifications/push-subscriptions', {
      token: consumer.token,
      body: push.subscribe(browser),
    });
    expect(status).toBe(201);
  }
  push.unsubscribe('lost');
  const placed = await order(stack.url, { token: consumer.token, product });
  await callApi(stack.url, 'PUT', `/orders/${placed.body.data._id}`, {
    token: farmer.token,
    body: { status: 'accepted' },
  });
  await until('the lost subscription to be removed and the others to receive', async () => {
    const { rowCount } = await database.query('SELECT FROM push_subscriptions');
    return rowCount === 2 && push.received.length === 2;
  });
  expect(push.received.map(({ browser }) => browser).sort()).toEqual(['laptop', 'phone']);
  expect(push.refused).toEqual([]);
  printFigure(
    'push endpoint gone (410)',
    'its subscription is removed at the first attempt, the other two are delivered',
  );
});
