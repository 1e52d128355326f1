import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createStorage, pictureNames, type Storage } from './storage.ts';

/** As much of S3 as a bucket of files takes: put, get and delete by path. */
function startBucket(): Promise<{ server: Server; objects: Map<string, Buffer> }> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const key = new URL(request.url ?? '/', 'http://bucket').pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
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
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, objects }));
  });
}

const settings = { S3_BUCKET: undefined, S3_ENDPOINT: undefined, S3_REGION: 'us-east-1' };
const storages: Record<string, Storage> = {};
let directory: string;
let bucket: Awaited<ReturnType<typeof startBucket>>;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'farmgate-storage-'));
  storages.disk = createStorage({ ...settings, DATA_DIR: directory, S3_FORCE_PATH_STYLE: true });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  bucket = await startBucket();
  storages.bucket = createStorage({
    DATA_DIR: directory,
    S3_BUCKET: 'pictures',
    S3_ENDPOINT: `http://127.0.0.1:${(bucket.server.address() as AddressInfo).port}`,
    S3_REGION: 'us-east-1',
    S3_FORCE_PATH_STYLE: true,
  });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  bucket.server.closeAllConnections();
  await new Promise((resolve) => bucket.server.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

describe.each(['disk', 'bucket'])('the %s', (kind) => {
  const storage = () => storages[kind] as Storage;

  it('gives back what it was given, until told to forget it', async () => {
    const { large, small } = pictureNames(randomUUID());
    await storage().write(large, Buffer.from('the large one'));
    await storage().write(small, Buffer.from('the small one'));
    expect(String(await storage().read(large))).toBe('the large one');
    expect(String(await storage().read(small))).toBe('the small one');
    await storage().remove(large);
    expect(await storage().read(large)).toBeUndefined();
    expect(await storage().read(small)).toBeDefined();
  });

  it('has nothing under a name that was never written, and forgets it without ado', async () => {
    const { large } = pictureNames(randomUUID());
    expect(await storage().read(large)).toBeUndefined();
    await expect(storage().remove(large)).resolves.toBeUndefined();
  });

  it('takes no name that is not a picture’s', async () => {
    await expect(async () => storage().write('../secret.webp', Buffer.from(''))).rejects.toThrow();
    await expect(async () => storage().read('../../package.json')).rejects.toThrow();
  });
});

it('puts objects into the bucket under their address', async () => {
  const { large } = pictureNames(randomUUID());
  await storages.bucket?.write(large, Buffer.from('x'));
  expect([...bucket.objects.keys()]).toContain(`/pictures/uploads/${large}`);
});
