import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { AppError, type Sentence } from '../http/errors.ts';
import type { Env } from '../process/env.ts';

/** Storage of files of one kind, for all processes of the market. A name's content never changes. */
export interface Storage {
  /** Stores `content` under `name`, completely or not at all. */
  write(name: string, content: Buffer): Promise<void>;
  /** Returns the content of `name`, or undefined. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes `name`; does nothing when it does not exist. */
  remove(name: string): Promise<void>;
  /**
   * Returns the names, and when each was last written, in milliseconds since the epoch; none where the bucket does not
   * let them be listed.
   */
  list(): Promise<Map<string, number>>;
}

type StorageSettings = Pick<
  Env,
  'DATA_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_FORCE_PATH_STYLE'
>;

/** Valid names: a picture's id and its size. */
export const PICTURE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-small)?\.webp$/;

/** What the folders of the storage hold, and how a name in them looks. */
const KINDS = {
  uploads: PICTURE_NAME,
  /** Scripts, styles and fonts of the web client: see server/platform/cache/shared-assets.ts. */
  assets: /^[\w-]+(\.[\w-]+)+$/,
} as const;
type StorageKind = keyof typeof KINDS;

/** The address of a stored picture; the group is its id. */
export const PICTURE_URL = /^\/uploads\/(.+)\.webp$/;

/** Returns the names of a picture's two files. */
export const pictureNames = (id: string) => ({ large: `${id}.webp`, small: `${id}-small.webp` });

interface StorageOptions {
  /** What is stored: uploaded pictures, when left out. */
  kind?: StorageKind;
  timeouts?: BucketTimeouts;
  /** Called when the bucket answers a read or a list with 403, which is treated as nothing being there. */
  onDenied?: () => void;
}

/** Opens the storage of the settings: an S3 bucket if set, else the disk. */
export function createStorage(env: StorageSettings, options: StorageOptions = {}): Storage {
  const { kind = 'uploads' } = options;
  return env.S3_BUCKET === undefined
    ? diskStorage(path.join(env.DATA_DIR, kind), kind)
    : bucketStorage(env, env.S3_BUCKET, { ...options, kind });
}

/** 503: the storage fails or does not answer. */
export const storageUnavailable = (message: Sentence) =>
  new AppError(503, 'STORAGE_UNAVAILABLE', message, { retryAfter: 60 });

/** Returns a valid name. Names come from URLs, so this guards against path traversal. */
function requireName(kind: StorageKind, name: string): string {
  if (!KINDS[kind].test(name)) throw new Error(`${name} is no name in ${kind}.`);
  return name;
}

const isMissing = (error: unknown): boolean => {
  const { code, name } = error as { code?: string; name?: string };
  return code === 'ENOENT' || name === 'NoSuchKey' || name === 'NotFound';
};

function diskStorage(directory: string, kind: StorageKind): Storage {
  const fileOf = (name: string) => path.join(directory, requireName(kind, name));
  return {
    async write(name, content) {
      const file = fileOf(name);
      const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
      await mkdir(directory, { recursive: true });
      try {
        await writeFile(draft, content, { flush: true });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async read(name) {
      try {
        return await readFile(fileOf(name));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    async list() {
      const names = await readdir(directory).catch((error: unknown): string[] => {
        if (isMissing(error)) return [];
        throw error;
      });
      const found = names.filter((name) => KINDS[kind].test(name));
      const stats = await Promise.all(found.map((name) => stat(fileOf(name)).catch(() => null)));
      return new Map(found.map((name, index) => [name, stats[index]?.mtimeMs ?? 0]));
    },
  };
}

/** Timeouts of the bucket, in milliseconds. */
export interface BucketTimeouts {
  connectMs: number;
  /** Until the response starts, and between two chunks of it. */
  silenceMs: number;
  /** For everything, the retry included. */
  totalMs: number;
}

const BUCKET_TIMEOUTS: BucketTimeouts = { connectMs: 3000, silenceMs: 5000, totalMs: 15_000 };

/** Errors of the credentials, not of the object. */
const CREDENTIAL_ERRORS: readonly string[] = [
  'AccountProblem',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
];

/** Returns whether S3 answered 403, as it does for a missing object without the right to list. */
function isDenied(error: unknown): boolean {
  const { name = '', $metadata } = error as {
    name?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return $metadata?.httpStatusCode === 403 && !CREDENTIAL_ERRORS.includes(name);
}

function bucketStorage(
  env: StorageSettings,
  bucket: string,
  {
    kind,
    timeouts: { connectMs, silenceMs, totalMs } = BUCKET_TIMEOUTS,
    onDenied,
  }: StorageOptions & { kind: StorageKind },
): Storage {
  // Imported only where a bucket is used, since the library is large.
  const library = import('@aws-sdk/client-s3');
  let client: S3Client | undefined;
  const open = async () => {
    const s3 = await library;
    client ??= new s3.S3Client({
      region: env.S3_REGION,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: silenceMs,
        throwOnRequestTimeout: true,
      },
      ...(env.S3_ENDPOINT === undefined ? {} : { endpoint: env.S3_ENDPOINT }),
    });
    return { s3, client };
  };
  const keyOf = (name: string) => ({
    Bucket: bucket,
    Key: `${kind}/${requireName(kind, name)}`,
  });

  /** Reads a body completely. @throws when it breaks off, stalls or is too slow */
  async function readWhole(body: Readable): Promise<Buffer> {
    const silence = setTimeout(
      () => body.destroy(new Error('The bucket stopped sending in the middle of an object')),
      silenceMs,
    );
    const giveUp = setTimeout(
      () => body.destroy(new Error('The bucket sends an object too slowly')),
      totalMs,
    );
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of body as AsyncIterable<Buffer>) {
        silence.refresh();
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      clearTimeout(silence);
      clearTimeout(giveUp);
    }
  }

  return {
    async write(name, content) {
      const { s3, client } = await open();
      await client.send(
        new s3.PutObjectCommand({
          ...keyOf(name),
          Body: content,
          ContentType: kind === 'uploads' ? 'image/webp' : 'application/octet-stream',
        }),
        { abortSignal: AbortSignal.timeout(totalMs) },
      );
    },
    async read(name) {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(keyOf(name)), {
          abortSignal: AbortSignal.timeout(totalMs),
        });
        return Body && (await readWhole(Body as Readable));
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (!isDenied(error)) throw error;
        onDenied?.();
        return undefined;
      }
    },
    async remove(name) {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand(keyOf(name)), {
        abortSignal: AbortSignal.timeout(totalMs),
      });
    },
    async list() {
      const { s3, client } = await open();
      const found = new Map<string, number>();
      const command = { Bucket: bucket, Prefix: `${kind}/` };
      try {
        for await (const page of s3.paginateListObjectsV2({ client }, command)) {
          for (const { Key = '', LastModified } of page.Contents ?? []) {
            found.set(Key.slice(kind.length + 1), LastModified?.getTime() ?? 0);
          }
        }
      } catch (error) {
        if (!isDenied(error)) throw error;
        onDenied?.();
      }
      return found;
    },
  };
}
