import type { Context } from 'koa';
import multer, { MulterError } from 'multer';
import { IMPORT_BYTES_MAX } from '#contract/catalogue/imports/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { type AppError, invalid, tooLarge, unsupported } from '../../platform/http/errors.ts';

const FIELD = 'file';
/** What a form adds to its file. */
const FORM_BYTES = 64 * 1024;

type Receiver = (request: unknown, response: unknown, done: (error?: unknown) => void) => void;

const fileTooLarge = () =>
  tooLarge(msg('A file can have at most {max} MB. Divide it into several.', { max: 2 }));

/**
 * Returns the file of a form, which is small enough to be held.
 * @throws 415 where it is no form, 413 where the file is too large, 400 without a file
 */
export async function receiveFile(ctx: Context): Promise<Buffer> {
  if (!ctx.request.is('multipart/form-data')) {
    throw unsupported(
      msg('Send the file as multipart/form-data, in the field "{field}".', { field: FIELD }),
    );
  }
  if ((ctx.request.length ?? 0) > IMPORT_BYTES_MAX + FORM_BYTES) throw fileTooLarge();
  const limits = { fileSize: IMPORT_BYTES_MAX, files: 1, fields: 5, fieldSize: 1024, parts: 6 };
  const receive = multer({ storage: multer.memoryStorage(), limits }).single(FIELD) as Receiver;
  const request = ctx.req as typeof ctx.req & { file?: { buffer: Buffer } };
  await new Promise<void>((resolve, reject) => {
    ctx.res.once('close', () => reject(invalid(msg('The upload was interrupted.'))));
    receive(request, undefined, (error) => (error ? reject(toRefusal(error)) : resolve()));
  });
  if (!request.file) {
    throw invalid(msg('Send a CSV file, in the field "{field}".', { field: FIELD }));
  }
  return request.file.buffer;
}

function toRefusal(error: unknown): AppError {
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE') return fileTooLarge();
  return invalid(msg("We couldn't read the upload. Please try again."));
}
