import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../http/errors.ts';
import type { Env } from '../process/env.ts';

/** Storage of uploaded pictures. A name's content never changes. */
export interface Storage {
  /** Stores `content` under `name`, completely or not at all. */
  write(name: string, content: Buffer): Promise<void>;
  /** Returns the content of `name`, or undefined. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes `name`; does nothing when it does not exist. */
  remove(name: string): Promise<void>;
}

type StorageSettings = Pick<
  Env,
  'DATA_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_FORCE_PATH_STYLE'
>;

/** Valid names: a picture's id and its size. */
export const PICTURE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-small)?\.webp$/;

/** The address of a stored picture; the group is its id. */
export const PICTURE_URL = /^\/uploads\/(.+)\.webp$/;

/** Returns the names of a picture's two files. */
export const pictureNames = (id: string) => ({ large: `${id}.webp`, small: `${id}-small.webp` });

interface StorageOptions {
  timeouts?: BucketTimeouts;
  /** Called when the bucket answers a read with 403, which is treated as a missing object. */
  onDenied?: () => void;
}

/** Opens the storage of the settings: an S3 bucket if set, else the disk. */
export function createStorage(env: StorageSettings, options: StorageOptions = {}): Storage {
  return env.S3_BUCKET === undefined
    ? diskStorage(path.join(env.DATA_DIR, 'uploads'))
    : bucketStorage(env, env.S3_BUCKET, options);
}

/** 503: the storage fails or does not answer. */
export const storageUnavailable = (message: string) =>
  new AppError(503, 'STORAGE_UNAVAILABLE', message, { retryAfter: 60 });

/** Returns a valid name. Names come from URLs, so this guards against path traversal. */
function requirePictureName(name: string): string {
  if (!PICTURE_NAME.test(name)) throw new Error(`${name} is not the name of a picture.`);
  return name;
}

const isMissing = (error: unknown): boolean => {
  const { code, name } = error as { code?: string; name?: string };
  return code === 'ENOENT' || name === 'NoSuchKey' || name === 'NotFound';
};

function diskStorage(directory: string): Storage {
  const fileOf = (name: string) => path.join(directory, requirePictureName(name));
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
  { timeouts: { connectMs, silenceMs, totalMs } = BUCKET_TIMEOUTS, onDenied }: StorageOptions,
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
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `uploads/${requirePictureName(name)}` });

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
        new s3.PutObjectCommand({ ...keyOf(name), Body: content, ContentType: 'image/webp' }),
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
  };
}
