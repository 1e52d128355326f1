// @long It reads and draws many pictures.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WAIT_MS } from '../../../testing/until.ts';
import { type BucketTimeouts, createStorage, pictureNames, type Storage } from './storage.ts';

/** As much of S3 as a bucket of files takes: put, get and delete by path, and lists of two names a page. */
function startBucket(): Promise<{ server: Server; objects: Map<string, Buffer> }> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { pathname: key, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (searchParams.has('list-type')) {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(listOf(searchParams));
      return;
    }
    if (request.method === 'PUT') objects.set(key, Buffer.concat(chunks));
    if (request.method === 'DELETE') objects.delete(key);
    const object = objects.get(key);
    if (request.method !== 'GET') {
      response.writeHead(request.method === 'DELETE' ? 204 : 200).end();
    } else if (object) {
      response.writeHead(200, { 'content-length': object.length }).end(object);
    } else {
      response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end('<Error><Code>NoSuchKey</Code></Error>');
    }
  });
  function listOf(query: URLSearchParams): string {
    const from = Number(query.get('continuation-token') ?? 0);
    const keys = [...objects.keys()]
      .map((key) => key.replace('/pictures/', ''))
      .filter((key) => key.startsWith(query.get('prefix') ?? ''));
    const contents = keys
      .slice(from, from + 2)
      .map(
        (key) => `<Contents><Key>${key}</Key><LastModified>${WRITTEN}</LastModified></Contents>`,
      );
    const next =
      from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
    return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, objects }));
  });
}

/** When all objects of the bucket were written. */
const WRITTEN = '2026-11-20T10:00:00.000Z';

const settings = { S3_BUCKET: undefined, S3_ENDPOINT: undefined, S3_REGION: 'us-east-1' };
const storages: Record<string, Storage> = {};

const directory: string = await mkdtemp(path.join(tmpdir(), 'farmgate-storage-'));
storages.disk = createStorage({ ...settings, DATA_DIR: directory, S3_FORCE_PATH_STYLE: true });
vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
const bucket: Awaited<ReturnType<typeof startBucket>> = await startBucket();
storages.bucket = createStorage({
  DATA_DIR: directory,
  S3_BUCKET: 'pictures',
  S3_ENDPOINT: `http://127.0.0.1:${(bucket.server.address() as AddressInfo).port}`,
  S3_REGION: 'us-east-1',
  S3_FORCE_PATH_STYLE: true,
});

afterAll(async () => {
  vi.unstubAllEnvs();
  bucket.server.closeAllConnections();
  await new Promise((resolve) => bucket.server.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

describe.each(['disk', 'bucket'])('the %s', (kind) => {
  const storage = () => storages[kind] as Storage;

  it('returns what was written, until it is removed', async () => {
    const { large, small } = pictureNames(randomUUID());
    await storage().write(large, Buffer.from('the large one'));
    await storage().write(small, Buffer.from('the small one'));
    expect(String(await storage().read(large))).toBe('the large one');
    expect(String(await storage().read(small))).toBe('the small one');
    await storage().remove(large);
    expect(await storage().read(large)).toBeUndefined();
    expect(await storage().read(small)).toBeDefined();
  });

  it('has nothing under a name that was never written, and removes it without an error', async () => {
    const { large } = pictureNames(randomUUID());
    expect(await storage().read(large)).toBeUndefined();
    await expect(storage().remove(large)).resolves.toBeUndefined();
  });

  it('lists what was written, and when', async () => {
    const before = [...(await storage().list()).keys()];
    const { large, small } = pictureNames(randomUUID());
    const others = Object.values(pictureNames(randomUUID()));
    for (const name of [large, small, ...others]) await storage().write(name, Buffer.from('x'));
    const listed = await storage().list();
    expect([...listed.keys()].sort()).toEqual([...before, large, small, ...others].sort());
    const writtenMs = listed.get(large) ?? 0;
    if (kind === 'bucket') expect(writtenMs).toBe(Date.parse(WRITTEN));
    else expect(Math.abs(Date.now() - writtenMs)).toBeLessThan(600_000);
  });

  it('takes no name that is not a picture’s', async () => {
    await expect(async () => storage().write('../secret.webp', Buffer.from(''))).rejects.toThrow();
    await expect(async () => storage().read('../../../package.json')).rejects.toThrow();
  });
});

it('puts objects into the bucket under their address', async () => {
  const { large } = pictureNames(randomUUID());
  await storages.bucket?.write(large, Buffer.from('x'));
  expect([...bucket.objects.keys()]).toContain(`/pictures/uploads/${large}`);
});

describe('a bucket that fails', () => {
  const timeouts: BucketTimeouts = { connectMs: 1000, silenceMs: 1000, totalMs: 2500 };
  /** For a bucket that answers, which a busy machine may be slow to bring. */
  const longTimeouts: BucketTimeouts = {
    connectMs: WAIT_MS,
    silenceMs: WAIT_MS,
    totalMs: WAIT_MS,
  };
  const { large } = pictureNames(randomUUID());
  const picture = Buffer.alloc(50_000, 'p');
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  async function bucketThat(
    behave: RequestListener,
    options: { timeouts?: BucketTimeouts; onDenied?: () => void } = {},
  ): Promise<Storage> {
    server = createServer((request, response) => {
      request.resume();
      behave(request, response);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return createStorage(
      {
        ...settings,
        DATA_DIR: directory,
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        S3_FORCE_PATH_STYLE: true,
      },
      { timeouts, ...options },
    );
  }

  const refuse =
    (status: number, code?: string): RequestListener =>
    (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(code && `<Error><Code>${code}</Code><Message>no</Message></Error>`);

  it.each([
    [403, 'AccessDenied', 1],
    // Some servers of the protocol answer without a body.
    [403, undefined, 1],
    [404, 'NoSuchKey', 0],
    [404, undefined, 0],
  ])('answers %i %s: there is no such picture', async (status, code, denials) => {
    const onDenied = vi.fn();
    const storage = await bucketThat(refuse(status, code), { timeouts: longTimeouts, onDenied });
    expect(await storage.read(large)).toBeUndefined();
    expect(onDenied).toHaveBeenCalledTimes(denials);
  });

  it.each([
    [403, 'SignatureDoesNotMatch'],
    [403, 'InvalidAccessKeyId'],
    [404, 'NoSuchBucket'],
    [500, 'InternalError'],
    [503, 'SlowDown'],
  ])('answers %i %s: reading and writing fail', async (status, code) => {
    const storage = await bucketThat(refuse(status, code));
    await expect(storage.read(large)).rejects.toThrow();
    await expect(storage.write(large, picture)).rejects.toThrow();
  });

  it('refuses to be written to: writing fails', async () => {
    const storage = await bucketThat(refuse(403, 'AccessDenied'));
    await expect(storage.write(large, picture)).rejects.toThrow();
  });

  it.each<[how: string, behave: RequestListener]>([
    ['never answers', () => {}],
    ['hangs up', (request) => void request.socket.destroy()],
    [
      'is cut in the middle of an object',
      (_, response) => {
        response.writeHead(200, { 'content-length': picture.length });
        response.write(picture.subarray(0, 20_000), () => response.socket?.destroy());
      },
    ],
    [
      'falls silent in the middle of an object',
      (_, response) => {
        response.writeHead(200, { 'content-length': picture.length });
        response.write(picture.subarray(0, 20_000));
      },
    ],
    [
      'sends an object byte by byte',
      (_, response) => {
        response.writeHead(200, { 'content-length': picture.length });
        const trickle = setInterval(() => response.write('p'), 50);
        response.once('close', () => clearInterval(trickle));
      },
    ],
  ])('%s: reading fails within its time', async (_, behave) => {
    const storage = await bucketThat(behave);
    await expect(storage.read(large)).rejects.toThrow();
  });

  it('does not let anybody list: nothing is listed', async () => {
    const onDenied = vi.fn();
    const storage = await bucketThat(refuse(403, 'AccessDenied'), {
      timeouts: longTimeouts,
      onDenied,
    });
    expect(await storage.list()).toEqual(new Map());
    expect(onDenied).toHaveBeenCalledOnce();
  });

  it('never answers: writing and removing fail within their time', async () => {
    const storage = await bucketThat(() => {});
    await expect(storage.write(large, picture)).rejects.toThrow();
    await expect(storage.remove(large)).rejects.toThrow();
  });

  it('is not there at all: reading and writing fail', async () => {
    const storage = createStorage(
      {
        ...settings,
        DATA_DIR: directory,
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        S3_FORCE_PATH_STYLE: true,
      },
      { timeouts },
    );
    await expect(storage.read(large)).rejects.toThrow();
    await expect(storage.write(large, picture)).rejects.toThrow();
  });

  it('is slow, but answers: the picture comes whole', async () => {
    const storage = await bucketThat(
      (_, response) => {
        setTimeout(() => {
          response.writeHead(200, { 'content-length': picture.length });
          response.write(picture.subarray(0, 20_000));
          setTimeout(() => response.end(picture.subarray(20_000)), 100);
        }, 100);
      },
      { timeouts: longTimeouts },
    );
    expect(await storage.read(large)).toEqual(picture);
  });

  it('fails once: the second try succeeds', async () => {
    let requests = 0;
    const storage = await bucketThat(
      (request, response) => {
        requests++;
        if (requests === 1) refuse(500, 'InternalError')(request, response);
        else response.writeHead(200, { 'content-length': picture.length }).end(picture);
      },
      { timeouts: longTimeouts },
    );
    expect(await storage.read(large)).toEqual(picture);
    expect(requests).toBe(2);
  });
});
