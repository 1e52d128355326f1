// @long It reads and draws many pictures.
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import Koa from 'koa';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { until, WAIT_MS } from '../../../testing/until.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { AppError } from '../http/errors.ts';
import { registry } from '../metrics/metrics.ts';
import type { SessionUser } from '../sessions/sessions.ts';
import { createUploads, UPLOAD_LIMITS, type UploadLimits } from './service.ts';
import { createStorage } from './storage.ts';

/** One that keeps the decoder busy for a while. */
/** What the uploads of the last server hold on the disk. */
let bytesHeld: () => number;
const servers: Server[] = [];
const sockets: Socket[] = [];

const market = closeAfter(await startTestMarket());
const farmers: string[] = await Promise.all(
  Array.from({ length: 8 }, async () => (await market.join('farmer')).id),
);
const drawing = sharp({ create: { width: 60, height: 40, channels: 3, background: '#7a4' } });
const picture: Buffer = await drawing.jpeg().toBuffer();
const heavy: Buffer = await sharp({
  create: {
    width: 5000,
    height: 4000,
    channels: 4,
    background: { r: 9, g: 99, b: 9, alpha: 0.5 },
  },
})
  .png({ progressive: true })
  .toBuffer();
afterEach(() => {
  for (const line of sockets.splice(0)) line.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const farmerOf = (id: string): SessionUser => ({
  id,
  role: 'farmer',
  name: 'Farmer',
  sessionId: '',
  language: null,
  membership: { farmId: id, role: 'owner' },
});

/** Uploads with limits of the test's own; the account stands in a header. */
async function serve(limits: Partial<UploadLimits> = {}): Promise<string> {
  const storage = createStorage(market.env);
  const uploads = createUploads(market.platform, storage, { ...UPLOAD_LIMITS, ...limits });
  bytesHeld = uploads.bytesHeld;
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    try {
      ctx.body = { data: await uploads.receive(ctx, farmerOf(ctx.get('x-account'))) };
      ctx.status = 201;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
      ctx.status = error.status;
      ctx.body = { code: error.code, message: error.message };
    }
  });
  const server = createServer(app.callback());
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function upload(url: string, account: number, files: readonly Buffer[] = [picture]) {
  const form = new FormData();
  for (const file of files) form.append('images', new Blob([new Uint8Array(file)]), 'x');
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    headers: { 'x-account': farmers[account] ?? '' },
  });
  const body = (await response.json()) as { code: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

/** Begins an upload and never ends it. */
async function begin(url: string, account: number, bytes = 1000): Promise<Socket> {
  const line = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(line);
  line.on('error', () => {});
  line.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Account: ${farmers[account]}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\n' +
      'x'.repeat(bytes),
  );
  await until(() => bytesHeld() > 0);
  return line;
}

async function refused(reason: string): Promise<number> {
  const metrics = await registry.metrics();
  const line = new RegExp(`farmgate_uploads_refused_total{reason="${reason}"} (\\d+)`).exec(
    metrics,
  );
  return Number(line?.[1] ?? 0);
}

describe('one upload of an account at a time', () => {
  it('refuses a second with 429 and Retry-After, and takes the next when the first is done', async () => {
    const url = await serve();
    const before = await refused('account_busy');
    const line = await begin(url, 0);
    const second = await upload(url, 0);
    expect(second).toMatchObject({ status: 429, body: { code: 'UPLOAD_IN_PROGRESS' } });
    expect(Number(second.retryAfter)).toBeGreaterThan(0);
    expect(await refused('account_busy')).toBe(before + 1);
    expect((await upload(url, 1)).status).toBe(201);
    line.destroy();
    await until(() => bytesHeld() === 0);
    expect((await upload(url, 0)).status).toBe(201);
  });

  it('is free again after a form that was refused', async () => {
    const url = await serve();
    expect((await upload(url, 0, [Buffer.from('no picture')])).status).toBe(415);
    expect((await upload(url, 0, [picture.subarray(0, 200)])).status).toBe(400);
    expect((await upload(url, 0, [])).status).toBe(400);
    expect((await upload(url, 0)).status).toBe(201);
    expect(bytesHeld()).toBe(0);
  });

  it('takes the upload of one while two hundred others of another account are refused', async () => {
    const url = await serve();
    await begin(url, 0);
    const tries = await Promise.all(Array.from({ length: 200 }, () => upload(url, 0)));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([429]));
    expect((await upload(url, 1)).status).toBe(201);
    expect(bytesHeld()).toBe(1000);
  });
});

describe('many accounts at once', () => {
  it('takes five forms of five accounts, one picture after the other', async () => {
    const url = await serve({ waitMs: WAIT_MS });
    const answers = await Promise.all([0, 1, 2, 3, 4].map((account) => upload(url, account)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });

  it('refuses with 503 and Retry-After what the queue does not hold', async () => {
    const url = await serve({ waitingMax: 1, waitMs: WAIT_MS });
    const before = await refused('queue_full');
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((account) => upload(url, account, [heavy])),
    );
    const busy = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(2);
    expect(busy.length).toBeGreaterThanOrEqual(1);
    for (const { retryAfter, body } of busy) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(body.code).toBe('UPLOADS_BUSY');
    }
    expect(await refused('queue_full')).toBe(before + busy.length);
    expect((await upload(url, 0)).status).toBe(201);
  });

  it('gives the decoder up when the client has gone', async () => {
    const url = await serve({ waitMs: WAIT_MS });
    const leaving = new AbortController();
    const form = new FormData();
    form.append('images', new Blob([new Uint8Array(heavy)]), 'x');
    const left = fetch(url, {
      method: 'POST',
      body: form,
      headers: { 'x-account': farmers[0] ?? '' },
      signal: leaving.signal,
    });
    await until(() => bytesHeld() > 0);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(() => bytesHeld() === 0);
    expect((await upload(url, 0)).status).toBe(201);
  });
});

describe('room on the disk', () => {
  it('refuses with 503 what would hold too much, and gives the room back', async () => {
    const url = await serve({ incomingBytesMax: 200_000 });
    const before = await refused('disk_budget');
    const line = await begin(url, 0, 190_000);
    await until(() => bytesHeld() === 190_000);
    const answer = await upload(url, 1, [Buffer.concat([picture, Buffer.alloc(50_000)])]);
    expect(answer).toMatchObject({ status: 503, body: { code: 'UPLOADS_BUSY' } });
    expect(await refused('disk_budget')).toBe(before + 1);
    line.destroy();
    await until(() => bytesHeld() === 0);
    const taken = await upload(url, 1, [Buffer.concat([picture, Buffer.alloc(50_000)])]);
    expect(taken.status).toBe(201);
  });

  it('leaves no file with a name behind while a form arrives', async () => {
    const url = await serve();
    await begin(url, 0);
    expect(await readdir(path.join(market.env.DATA_DIR, 'incoming'))).toEqual([]);
  });
});

it('answers 408 to an upload that comes to a standstill, and frees the account', async () => {
  const url = await serve({ progress: { ...UPLOAD_LIMITS.progress, silenceMaxMs: 300 } });
  const line = await begin(url, 0);
  let answer = '';
  line.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  // Not `once` of events, which would reject if the connection ends with a reset.
  await new Promise((resolve) => line.once('close', resolve));
  expect(answer).toMatch(/^HTTP\/1.1 408/);
  expect(answer).toContain('UPLOAD_TOO_SLOW');
  await until(() => bytesHeld() === 0);
  expect((await upload(url, 0)).status).toBe(201);
});

it('refuses what says beforehand that it is too large without reading it', async () => {
  const url = await serve();
  const line = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(line);
  line.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Account: ${farmers[0]}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 500000000\r\n\r\n',
  );
  const [answer] = await once(line, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 413/);
});
