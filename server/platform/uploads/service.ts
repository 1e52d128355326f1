import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Next } from 'koa';
import { msg } from '#contract/platform/text/constants/texts';
import { type UploadedImage, uploadsApi } from '#contract/platform/uploads/uploads';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { type BodyProgress, type CutOffReason, limitByProgress } from '../http/body-time.ts';
import { AppError, invalid, invalidField, notFound, tooLarge } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { countRefused } from '../metrics/metrics.ts';
import { actingFarm, lockWorker } from '../sessions/lock-caller.ts';
import type { SessionUser } from '../sessions/sessions.ts';
import { transact } from '../stores/postgres.ts';
import { readClock } from '../time/clock.ts';
import type { Picture } from './decode.ts';
import { DecoderError, readPicture, requireKnownFormat } from './picture.ts';
import {
  createIncoming,
  createSerialQueue,
  FORM_BYTES_MAX,
  isDiskError,
  receiveFiles,
  requireForm,
  tooBusy,
} from './receive.ts';
import {
  createStorage,
  PICTURE_NAME,
  PICTURE_URL,
  pictureNames,
  type Storage,
  storageUnavailable,
} from './storage.ts';

/** Limits of all uploads of a process; tests set lower ones. */
export interface UploadLimits {
  /** Disk space of files that are being received or waiting. */
  incomingBytesMax: number;
  /** Pictures that wait for the decoder, and the longest wait. */
  waitingMax: number;
  waitMs: number;
  progress: BodyProgress;
}

export const UPLOAD_LIMITS: UploadLimits = {
  incomingBytesMax: 512 * 1024 * 1024,
  waitingMax: 4,
  waitMs: 15_000,
  progress: {
    silenceMaxMs: 15_000,
    // 2 kB/s: slower than any phone connection, faster than a deliberately slow body.
    windowMs: 30_000,
    windowMinBytes: 60_000,
    totalMaxMs: 10 * 60_000,
    totalMaxBytes: FORM_BYTES_MAX,
  },
};

/** Returns whose the caller's pictures are: the farm's they work for, or an admin's own. @throws 403 who has neither */
const ownerOf = (user: SessionUser): string => (user.role === 'admin' ? user.id : actingFarm(user));

/** Creates the upload service: one form at a time per account, one picture at a time per process. */
export function createUploads(platform: Platform, storage: Storage, limits = UPLOAD_LIMITS) {
  const { db, env, log } = platform;
  const incoming = createIncoming({
    directory: path.join(env.DATA_DIR, 'incoming'),
    bytesMax: limits.incomingBytesMax,
  });
  const decodeQueue = createSerialQueue({ ...limits, onRefused: countRefused });
  /** Farms and admins with a running upload in this process. */
  const uploading = new Set<string>();

  /**
   * Receives a form's pictures for the caller's farm, or for an admin, and stores each in two sizes.
   * @throws 403 who works for no farm; 415, 413 or 400 when one of the files is not accepted, and then none is
   * stored; 429 while another upload of the farm is running; 408 when it is too slow; 503 when there is no capacity
   */
  async function receive(ctx: Context, user: SessionUser): Promise<UploadedImage[]> {
    const ownerId = ownerOf(user);
    requireForm(ctx);
    if (uploading.has(ownerId)) throw accountBusy();
    if (decodeQueue.isFull()) {
      countRefused('queue_full');
      throw tooBusy();
    }
    uploading.add(ownerId);
    const form = incoming.openForm();
    const clientGone = new AbortController();
    ctx.res.once('close', () => clientGone.abort(new Error('The client closed the connection')));
    try {
      const cutOff = limitByProgress(ctx.req, limits.progress);
      await receiveFiles(ctx.req, form, AbortSignal.any([cutOff, clientGone.signal])).catch(
        (error) => {
          throw cutOff.aborted ? cutOffRefusal(ctx, cutOff.reason) : error;
        },
      );
      for (const file of form.files) await requireKnownFormat(file);
      const pictures: Picture[] = [];
      for (const file of form.files) pictures.push(await decode(file, clientGone.signal));
      return await store(pictures, user);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (clientGone.signal.aborted) throw invalid(msg('The upload was interrupted.'));
      if (!isDiskError(error)) throw error;
      log.error(
        { reason: (error as Error).message },
        'Upload could not be written to the disk; answering 503',
      );
      throw refusedByStorage();
    } finally {
      await form.close();
      uploading.delete(ownerId);
    }
  }

  async function decode(file: FileHandle, signal: AbortSignal): Promise<Picture> {
    try {
      return await decodeQueue.run(() => readPicture(file, signal), signal);
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error;
      log.error({ reason: error.message }, 'Picture decoder failed; answering 503');
      countRefused('decoder_failed');
      throw tooBusy();
    }
  }

  /**
   * Stores the pictures. Rows are written first: housekeeping removes rows that nothing shows after a day,
   * with their files, so a failure here leaves nothing behind.
   */
  async function store(pictures: readonly Picture[], user: SessionUser): Promise<UploadedImage[]> {
    const ownerId = ownerOf(user);
    const stored = pictures.map((picture) => ({ id: randomUUID(), ...picture }));
    await transact(db, async (tx) => {
      await lockWorker(tx, user);
      const createdAt = await readClock(tx);
      await tx.upload.createMany({
        data: stored.map(({ id, width, height }) => ({ id, ownerId, width, height, createdAt })),
      });
    });
    try {
      for (const picture of stored) await writePicture(storage, picture);
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'Picture could not be stored; answering 503');
      throw refusedByStorage();
    }
    return stored.map(presentUpload);
  }

  return { receive, bytesHeld: incoming.bytesHeld };
}

type StoredPicture = Picture & { id: string };

async function writePicture(storage: Storage, { id, large, small }: StoredPicture): Promise<void> {
  const names = pictureNames(id);
  await storage.write(names.small, small);
  await storage.write(names.large, large);
}

const presentUpload = ({ id, width, height }: StoredPicture): UploadedImage => ({
  url: `/uploads/${pictureNames(id).large}`,
  width,
  height,
});

/** Stores a picture of a farm that its own files name, as an upload of the farm. */
export async function storePicture(
  { db, storage }: { db: Database; storage: Storage },
  ownerId: string,
  picture: Picture,
): Promise<UploadedImage> {
  const stored = { id: randomUUID(), ...picture };
  const { id, width, height } = stored;
  await db.upload.create({
    data: { id, ownerId, width, height, createdAt: await readClock(db) },
    select: { id: true },
  });
  await writePicture(storage, stored);
  return presentUpload(stored);
}

function refusedByStorage(): AppError {
  countRefused('storage');
  return storageUnavailable(msg('There is no room for pictures just now. Please try again later.'));
}

function accountBusy(): AppError {
  countRefused('account_busy');
  return new AppError(
    429,
    'UPLOAD_IN_PROGRESS',
    msg("Your last upload is still running. Please try again when it's done."),
    { retryAfter: 3 },
  );
}

function cutOffRefusal(ctx: Context, reason: CutOffReason): AppError {
  // Do not wait for the rest of the body.
  ctx.set('Connection', 'close');
  if (reason === 'too_large') return tooLarge(msg("That's too much at once."));
  countRefused('too_slow');
  return new AppError(
    408,
    'UPLOAD_TOO_SLOW',
    msg('The upload stopped. Please check your connection and try again.'),
  );
}

/**
 * Requires that pictures under /uploads were uploaded by this account; other addresses pass. Their rows stay
 * locked until the transaction ends, so that the clean-up does not remove what is about to be shown.
 * @param pictures addresses by the path of their field
 * @throws 400 at the field of the first that was not
 */
export async function requireOwnUploads(
  tx: Transaction,
  ownerId: string,
  pictures: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const idByField = new Map<string, string>();
  for (const [field, url] of Object.entries(pictures)) {
    const id = PICTURE_URL.exec(url ?? '')?.[1];
    if (id !== undefined) idByField.set(field, id);
  }
  if (idByField.size === 0) return;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM uploads
    WHERE id::text = ANY (${[...idByField.values()]}) AND owner_id = ${ownerId}::uuid
    FOR KEY SHARE`;
  const own = new Set(rows.map(({ id }) => id));
  for (const [field, id] of idByField) {
    if (!own.has(id)) {
      throw invalidField(field, msg("This picture wasn't uploaded. Please add it again."));
    }
  }
}

const PREFIX = '/uploads/';

/** Serves uploaded pictures. A name's content never changes, so it may be cached for ever. */
export function serveUploads({ env, log }: Platform) {
  let wasDenialLogged = false;
  const storage = createStorage(env, {
    onDenied: () => {
      if (wasDenialLogged) return;
      wasDenialLogged = true;
      log.warn(
        'Bucket refused a picture with 403; answering 404. Without s3:ListBucket a missing picture looks like this',
      );
    },
  });

  async function read(name: string): ReturnType<Storage['read']> {
    try {
      return await storage.read(name);
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'Picture could not be read; answering 503');
      throw storageUnavailable(
        msg("This picture can't be shown just now. Please try again later."),
      );
    }
  }

  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith(PREFIX) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    const name = ctx.path.slice(PREFIX.length);
    const picture = PICTURE_NAME.test(name) ? await read(name) : undefined;
    if (!picture) throw notFound(msg('There is no such picture.'));
    ctx.status = 200;
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.etag = name;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'image/webp';
    ctx.body = picture;
  };
}

/** Route of picture uploads. */
export function uploadsRoutes(platform: Platform): Route[] {
  const uploads = createUploads(platform, createStorage(platform.env));
  return [
    route(uploadsApi.create, async ({ user, ctx }) => {
      const data = await uploads.receive(ctx, user);
      return { data, count: data.length };
    }),
  ];
}
