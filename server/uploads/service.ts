import { randomUUID } from 'node:crypto';
import type { UploadedImage } from '#contract/uploads';
import { AppError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { readPicture } from './picture.ts';
import { pictureNames, type Storage } from './storage.ts';

/**
 * Keeps pictures in two sizes. The rows come first: a picture whose row is there but which no
 * product shows is cleared after a day, so that nothing is left behind whatever happens here.
 * @throws 415, 413 or 400 when one of the files is no picture that is taken, and then none is kept;
 * 503 when there is no room for them
 */
export async function keepPictures(
  { db, log }: Platform,
  storage: Storage,
  ownerId: string,
  files: readonly Buffer[],
): Promise<UploadedImage[]> {
  const pictures = [];
  // One after the other: each takes some hundred megabytes while it is decoded.
  for (const file of files) pictures.push({ id: randomUUID(), ...(await readPicture(file)) });
  await db.upload.createMany({
    data: pictures.map(({ id, width, height }) => ({ id, ownerId, width, height })),
  });
  try {
    for (const { id, large, small } of pictures) {
      const names = pictureNames(id);
      await storage.write(names.small, small);
      await storage.write(names.large, large);
    }
  } catch (error) {
    log.error({ reason: (error as Error).message }, 'A picture could not be stored');
    throw new AppError(
      503,
      'STORAGE_UNAVAILABLE',
      'There is no room for pictures just now. Please try again later.',
      { retryAfter: 60 },
    );
  }
  return pictures.map(({ id, width, height }) => ({
    url: `/uploads/${pictureNames(id).large}`,
    width,
    height,
  }));
}
