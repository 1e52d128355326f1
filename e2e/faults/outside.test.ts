import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { openMailbox } from '../../workers/testing/mailbox.ts';
import { openPushService } from '../../workers/testing/push-service.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { ask, figure, openBackDoor, order, seconds, sized } from './ground.ts';

const endings: (() => Promise<unknown> | unknown)[] = [];
const atEnd = (end: () => Promise<unknown> | unknown) => endings.unshift(end);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'farmgate-outside-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function openStack(workers: number, env: Record<string, string>): Promise<Stack> {
  const stack = await startStack({ seed: false, workers, env });
  atEnd(() => stack.close());
  return stack;
}

async function makeParties(stack: Stack) {
  const [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  const [consumer] = (await makePeople(stack.databaseUrl, 'consumer', 1)) as [Someone];
  const [product] = (await makeProducts(stack.databaseUrl, [farmer], 1)) as [
    { id: string; farmer: string },
  ];
  const database = openBackDoor(stack.databaseUrl);
  atEnd(() => database.end());
  return { farmer, consumer, product, database };
}

/** Makes the folder of pictures one that cannot take them. @returns how, and a way to make room */
async function fillUp(uploads: string): Promise<{ how: string; makeRoom: () => Promise<void> }> {
  await mkdir(uploads, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', uploads]);
  if (mounted.status === 0) {
    atEnd(() => spawnSync('umount', [uploads]));
    await writeFile(path.join(uploads, 'filler'), Buffer.alloc(60 * 1024));
    return {
      how: 'a file system of 64 KB that is full',
      makeRoom: async () => {
        await rm(path.join(uploads, 'filler'));
        spawnSync('mount', ['-o', 'remount,size=16m', uploads]);
      },
    };
  }
  // Nobody but root may mount; then it is a folder that is none.
  await rm(uploads, { recursive: true });
  await writeFile(uploads, '');
  return { how: 'a file in the place of the folder', makeRoom: () => rm(uploads) };
}

it('a disk without room refuses pictures and nothing else', async () => {
  const uploads = path.join(folder, 'uploads');
  const { how, makeRoom } = await fillUp(uploads);
  const stack = await openStack(0, { DATA_DIR: folder });
  const { farmer, consumer, product } = await makeParties(stack);
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
  expect((await ask(stack.url, 'GET', '/products')).status).toBe(200);

  await makeRoom();
  const taken = await upload();
  expect(taken.status).toBe(201);
  const shown = await fetch(`${stack.url}${taken.body.data[0].url}`);
  expect(shown.status).toBe(200);
  expect(stack.servers[0]?.isRunning()).toBe(true);
  figure(
    'disk full for pictures',
    `(${how}) an upload is refused with 503 and Retry-After, orders and reads go on; with room again the same upload is taken`,
  );
}, 120_000);

it('mail that cannot be handed over for an hour goes out afterwards, each once', async () => {
  const mailbox = await openMailbox();
  atEnd(() => mailbox.close());
  // The hour at a hundredth: 36 s, with pauses between the tries that begin at 20 ms instead of 2 s.
  const backoffMs = 20;
  const awayMs = sized(6000, 36_000);
  const stack = await openStack(1, {
    SMTP_URL: mailbox.url,
    JOB_BACKOFF_MS: String(backoffMs),
    UNREAD_EMAIL_AFTER_SECONDS: '0',
  });
  const { consumer, product, database, farmer } = await makeParties(stack);
  const others = await makePeople(stack.databaseUrl, 'consumer', 9);
  await mailbox.close();

  const orders: string[] = [];
  for (const { token } of [consumer, ...others]) {
    const placed = await order(stack.url, { token, product });
    expect(placed.status).toBe(201);
    orders.push(placed.body.data._id);
  }
  for (const id of orders) {
    const accepted = await ask(stack.url, 'PUT', `/orders/${id}`, {
      token: farmer.token,
      body: { status: 'accepted' },
    });
    expect(accepted.status).toBe(200);
  }
  await sleep(awayMs);
  await until(
    'the bell to have rung all the same',
    async () => {
      const { rowCount } = await database.query(
        `SELECT FROM notifications WHERE kind LIKE 'order.%'`,
      );
      return rowCount === 20;
    },
    60_000,
  );
  expect(mailbox.mails).toEqual([]);

  await mailbox.open();
  const openAt = Date.now();
  await until(
    'everything to be sent',
    async () => {
      const { rows } = await database.query<{ status: string; count: number }>(
        `SELECT status::text, count(*)::int AS count FROM notification_deliveries
         WHERE channel = 'email' GROUP BY status`,
      );
      return rows.length === 1 && rows[0]?.status === 'sent' && rows[0].count === 20;
    },
    120_000,
  );
  const after = Date.now() - openAt;
  const unique = new Set(mailbox.mails.map(({ id }) => id));
  expect(unique.size).toBe(mailbox.mails.length);
  const { rows } = await database.query<{ email: string }>(
    `SELECT email FROM users WHERE role = 'consumer'`,
  );
  for (const { email } of rows) expect(mailbox.mailsTo(email)).toHaveLength(1);
  expect(stack.workers[0]?.isRunning()).toBe(true);
  figure(
    'mail server away',
    `for ${seconds(awayMs)} with pauses between tries a hundredth of the real ones (${backoffMs} ms doubling instead of 2 s): orders and bells went on, and 20 mails' worth of news went out in ${unique.size} mails, each once, within ${seconds(after)} of its return`,
  );
}, 180_000);

it('a push subscription that is gone is forgotten, and the others get theirs', async () => {
  const push = await openPushService();
  atEnd(() => push.close());
  const cert = path.join(folder, 'push.pem');
  await writeFile(cert, push.cert);
  const stack = await openStack(1, { NODE_EXTRA_CA_CERTS: cert, JOB_BACKOFF_MS: '100' });
  const { consumer, product, database, farmer } = await makeParties(stack);
  const key = await ask(stack.url, 'GET', '/notifications/push-key', { token: consumer.token });
  push.expectSender(key.body.data.publicKey);
  for (const browser of ['phone', 'laptop', 'lost']) {
    const { status } = await ask(stack.url, 'POST', '/notifications/push-subscriptions', {
      token: consumer.token,
      body: push.subscribe(browser),
    });
    expect(status).toBe(201);
  }
  push.forget('lost');
  const placed = await order(stack.url, { token: consumer.token, product });
  await ask(stack.url, 'PUT', `/orders/${placed.body.data._id}`, {
    token: farmer.token,
    body: { status: 'accepted' },
  });
  await until(
    'the lost one to be forgotten and the others to be served',
    async () => {
      const { rowCount } = await database.query('SELECT FROM push_subscriptions');
      return rowCount === 2 && push.received.length === 2;
    },
    60_000,
  );
  expect(push.received.map(({ browser }) => browser).sort()).toEqual(['laptop', 'phone']);
  expect(push.refused).toEqual([]);
  figure(
    'push endpoint gone (410)',
    'its subscription is removed at the first try, the two others get their message',
  );
}, 120_000);
