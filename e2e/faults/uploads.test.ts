import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import {
  callApi,
  formatSeconds,
  isFullRun,
  percentile,
  printFigure,
  sized,
  startLoad,
} from './helpers.ts';

const MAX_GROWTH_MB = 400;
/** The decoder's own limit plus 100 MB for the server. */
const MAX_DECODER_GROWTH_MB = 768 + 100;
const SLOW_UPLOADS = sized(50, 200);

let stack: Stack;
let farmers: TestUser[];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0 });
  farmers = await createUsers(stack.databaseUrl, 'farmer', SLOW_UPLOADS + 1);
  // Warm up, so that loading modules is not measured.
  expect((await upload(farmer(0), await photo(400, 300))).status).toBe(201);
});
afterAll(() => stack?.close());

const farmer = (index: number) => farmers[index] as TestUser;

/** A rotated progressive JPEG of one colour: a small file that needs much memory. */
const photo = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#7a4' },
    limitInputPixels: false,
  })
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, quality: 30 })
    .toBuffer();

async function upload({ token }: TestUser, ...files: Buffer[]) {
  const form = new FormData();
  for (const file of files) form.append('images', new Blob([new Uint8Array(file)]), 'a.jpg');
  const response = await fetch(`${stack.url}/api/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Returns the resident memory in MB of a process and its children; 0 on systems without /proc. */
function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    return children
      .split(' ')
      .filter(Boolean)
      .reduce((sum, child) => sum + residentMb(Number(child)), own);
  } catch {
    return 0;
  }
}

/** Runs `work` and measures the memory of the server and its decoder before and at the peak. */
async function measure<T>(work: () => Promise<T>) {
  const pid = stack.servers[0]?.pid ?? 0;
  const before = Math.round(residentMb(pid));
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, Math.round(residentMb(pid)));
  }, 10);
  const answers: number[] = [];
  const reading = startLoad(1, 20, async () => {
    const { status, ms } = await callApi(stack.url, 'GET', '/products?limit=1');
    expect(status).toBe(200);
    answers.push(ms);
  });
  const startedAt = Date.now();
  const result = await work();
  const ms = Date.now() - startedAt;
  clearInterval(sampling);
  await reading.stop();
  return { result, before, peak, growth: peak - before, ms, p95: percentile(answers, 0.95) };
}

type Uploaded = Awaited<ReturnType<typeof upload>>;
const statuses = (answers: Uploaded[]) => answers.map(({ status }) => status);

function report(
  name: string,
  result: string,
  seen: Awaited<ReturnType<typeof measure>>,
  maxGrowthMb = MAX_GROWTH_MB,
): void {
  printFigure(
    name,
    `${result} within ${formatSeconds(seen.ms)}; server and decoder together grew from ${seen.before} to ${seen.peak} MB; reads meanwhile p95 ${seen.p95} ms`,
  );
  expect(seen.growth).toBeLessThan(maxGrowthMb);
  expect(stack.servers[0]?.isRunning()).toBe(true);
}

/** On a busy machine the last upload may wait too long, which is answered with 503. */
function expectEach(expected: number, answers: Uploaded[]): void {
  expect(statuses(answers)).toContain(expected);
  for (const { status, headers } of answers) {
    if (status !== expected) expect([status, headers.has('retry-after')]).toEqual([503, true]);
  }
}

it('refuses four concurrent uploads of 60 megapixels by their headers', async () => {
  const file = await photo(10_000, 6000);
  const seen = await measure(() =>
    Promise.all([1, 2, 3, 4].map((index) => upload(farmer(index), file))),
  );
  report(
    'four uploads of 60 megapixels',
    `${file.length / 1000} kB each, progressive and rotated: ${statuses(seen.result).join(', ')}`,
    seen,
  );
  expectEach(413, seen.result);
});

it('accepts four concurrent uploads of 30 megapixels one after the other', async () => {
  const file = await photo(6000, 5000);
  const seen = await measure(() =>
    Promise.all([1, 2, 3, 4].map((index) => upload(farmer(index), file))),
  );
  report(
    'four uploads of 30 megapixels',
    `${file.length / 1000} kB each, progressive and rotated: ${statuses(seen.result).join(', ')}`,
    seen,
  );
  expectEach(201, seen.result);
});

it('accepts four pictures of 30 megapixels in one form', async () => {
  const file = await photo(6000, 5000);
  const seen = await measure(() => upload(farmer(1), file, file, file, file));
  report('four pictures of 30 megapixels in one form', String(seen.result.status), seen);
  expect(seen.result.status).toBe(201);
});

it('serves reads while an interlaced PNG takes seconds to decode', async () => {
  const file = await sharp({
    create: {
      width: 6000,
      height: 5000,
      channels: 4,
      background: { r: 9, g: 99, b: 9, alpha: 0.5 },
    },
  })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
  const seen = await measure(() => upload(farmer(1), file));
  report(
    'an interlaced PNG of 16 bits',
    `${file.length / 1000} kB: ${seen.result.status}`,
    seen,
    MAX_DECODER_GROWTH_MB,
  );
  expect([201, 413]).toContain(seen.result.status);
});

/** Starts an upload that sends only its first bytes. */
function startUpload({ token }: TestUser): Socket {
  const { port } = new URL(stack.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(
    `POST /api/uploads HTTP/1.1\r\nHost: farm\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\nx',
  );
  return socket;
}

it('closes slow uploads, which block neither memory nor other uploads', async () => {
  const file = await photo(400, 300);
  const sockets = new Set<Socket>();
  const closedAfterMs: number[] = [];
  const since = Date.now();
  // One from each account, and as many again from a single account.
  const senders = [...farmers.slice(1), ...Array.from({ length: SLOW_UPLOADS }, () => farmer(1))];
  const seen = await measure(async () => {
    for (const sender of senders) {
      const socket = startUpload(sender);
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        closedAfterMs.push(Date.now() - since);
      });
    }
    const sending = setInterval(() => {
      for (const socket of sockets) socket.write('x');
    }, 1000);
    try {
      await until('all slow uploads to be under way', () =>
        [...sockets].every(({ connecting, writableLength }) => !connecting && writableLength === 0),
      );
      const honest = await upload(farmer(0), file);
      expect(honest.status).toBe(201);
      if (isFullRun) await until('all slow uploads to be closed', () => sockets.size === 0);
    } finally {
      clearInterval(sending);
      for (const socket of sockets) socket.destroy();
    }
  });
  report(
    'slow uploads',
    `${senders.length} of them from ${SLOW_UPLOADS} accounts, an honest upload among them accepted${isFullRun ? `, the last closed after ${formatSeconds(Math.max(...closedAfterMs))}` : ''};`,
    seen,
  );
});

it.runIf(isFullRun)('accepts an honest upload that takes more than 30 s', async () => {
  const noise = await sharp({
    create: {
      width: 500,
      height: 400,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\n'),
    noise,
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const socket = connect(Number(new URL(stack.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.write(
    `POST /api/uploads HTTP/1.1\r\nHost: farm\r\nAuthorization: Bearer ${farmer(0).token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const since = Date.now();
  const part = Math.ceil(body.length / 40);
  for (let sent = 0; sent < body.length; sent += part) {
    socket.write(body.subarray(sent, sent + part));
    // As slowly as a poor line.
    await sleep(1000);
  }
  await until('the answer', () => answer.includes('\r\n\r\n'));
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1.1 201/);
  printFigure(
    'an upload over a slow connection',
    `${Math.round(body.length / 1000)} kB at ${Math.round(part / 1000)} kB/s accepted after ${formatSeconds(Date.now() - since)}`,
  );
});
