import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Env } from '../platform/env.ts';

/** Where uploaded pictures are kept. A name's content never changes. */
export interface Storage {
  /** Keeps `content` under `name`, in whole or not at all. */
  write(name: string, content: Buffer): Promise<void>;
  /** What is kept under `name`, or nothing. */
  read(name: string): Promise<Buffer | undefined>;
  /** Forgets `name`; does nothing when it is not there. */
  remove(name: string): Promise<void>;
}

type StorageSettings = Pick<
  Env,
  'DATA_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_FORCE_PATH_STYLE'
>;

/** The only names there are: a picture's id and its size. */
export const PICTURE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-small)?\.webp$/;

/** The names of a picture's two files. */
export const pictureNames = (id: string) => ({ large: `${id}.webp`, small: `${id}-small.webp` });

/** Opens the storage that the settings name: an S3 bucket if there is one, else the disk. */
export function createStorage(env: StorageSettings): Storage {
  return env.S3_BUCKET === undefined
    ? diskStorage(path.join(env.DATA_DIR, 'uploads'))
    : bucketStorage(env, env.S3_BUCKET);
}

/** A name comes from an address: nothing but a picture's name may reach the file system. */
function checked(name: string): string {
  if (!PICTURE_NAME.test(name)) throw new Error(`${name} is not the name of a picture.`);
  return name;
}

const isMissing = (error: unknown): boolean => {
  const { code, name } = error as { code?: string; name?: string };
  return code === 'ENOENT' || name === 'NoSuchKey' || name === 'NotFound';
};

function diskStorage(directory: string): Storage {
  const fileOf = (name: string) => path.join(directory, checked(name));
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

function bucketStorage(env: StorageSettings, bucket: string): Storage {
  // Loaded only where a bucket is used: the library is large.
  const library = import('@aws-sdk/client-s3');
  let client: S3Client | undefined;
  const open = async () => {
    const s3 = await library;
    client ??= new s3.S3Client({
      region: env.S3_REGION,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
      ...(env.S3_ENDPOINT === undefined ? {} : { endpoint: env.S3_ENDPOINT }),
    });
    return { s3, client };
  };
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `uploads/${checked(name)}` });
  return {
    async write(name, content) {
      const { s3, client } = await open();
      await client.send(
        new s3.PutObjectCommand({ ...keyOf(name), Body: content, ContentType: 'image/webp' }),
      );
    },
    async read(name) {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(keyOf(name)));
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand(keyOf(name)));
    },
  };
}
