import type { Context } from 'koa';
import multer, { MulterError } from 'multer';
import { UPLOAD_BYTES_MAX, UPLOAD_FILES_MAX } from '#contract/uploads';
import { invalid, tooLarge, unsupported } from '../platform/errors.ts';

const FIELD = 'images';
const MEGABYTE = 1024 * 1024;

const receive = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: UPLOAD_BYTES_MAX, files: UPLOAD_FILES_MAX, fields: 10, fieldSize: 1024 },
}).array(FIELD, UPLOAD_FILES_MAX);

type Receiver = (request: unknown, response: unknown, done: (error?: unknown) => void) => void;

/**
 * Reads the files of a multipart request into memory.
 * @throws 415 when it is no multipart form, 413 when a file is too large or there are too many, 400
 * when there is none or the form is broken
 */
export async function receiveFiles(ctx: Context): Promise<Buffer[]> {
  if (!ctx.request.is('multipart/form-data')) {
    throw unsupported(`Send the pictures as multipart/form-data, in the field "${FIELD}".`);
  }
  await new Promise<void>((resolve, reject) => {
    (receive as Receiver)(ctx.req, ctx.res, (error) =>
      error ? reject(toRefusal(error)) : resolve(),
    );
  });
  const { files = [] } = ctx.req as { files?: { buffer: Buffer }[] };
  if (files.length === 0) throw invalid(`Send at least one picture, in the field "${FIELD}".`);
  return files.map(({ buffer }) => buffer);
}

function toRefusal(error: unknown) {
  const code = error instanceof MulterError ? error.code : undefined;
  if (code === 'LIMIT_FILE_SIZE') {
    return tooLarge(`A picture can have at most ${UPLOAD_BYTES_MAX / MEGABYTE} MB.`);
  }
  if (code === 'LIMIT_FILE_COUNT' || code === 'LIMIT_UNEXPECTED_FILE') {
    return tooLarge(`Upload up to ${UPLOAD_FILES_MAX} images, in the field "${FIELD}".`);
  }
  return invalid('The upload could not be read. Please try again.');
}
