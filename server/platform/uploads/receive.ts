import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Context } from 'koa';
import multer, { MulterError, type StorageEngine } from 'multer';
import { msg } from '#contract/platform/text/constants/texts';
import { UPLOAD_BYTES_MAX, UPLOAD_FILES_MAX } from '#contract/platform/uploads/constants';
import { AppError, invalid, tooLarge, unsupported } from '../http/errors.ts';
import { countRefused } from '../metrics/metrics.ts';

/** Runs one task at a time, with a short queue. */
interface SerialQueue {
  /** Returns whether the queue is full, so that the next task is refused. */
  isFull(): boolean;
  /** Returns the number of waiting tasks. */
  waiting(): number;
  /**
   * Runs `work` in its turn; leaves the queue when `signal` aborts.
   * @throws 503 when the queue is full or the wait takes too long
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** 503: the process handles too many pictures already. */
export const tooBusy = () =>
  new AppError(
    503,
    'UPLOADS_BUSY',
    msg('Many pictures are being uploaded just now. Please try again in a moment.'),
    { retryAfter: 5 },
  );

/** Creates a {@link SerialQueue} of at most `waitingMax` waiting tasks, each for at most `waitMs`. */
export function createSerialQueue({
  waitingMax,
  waitMs,
  onRefused = () => {},
}: {
  waitingMax: number;
  waitMs: number;
  onRefused?: (reason: 'queue_full' | 'queue_timeout') => void;
}): SerialQueue {
  const queue: (() => void)[] = [];
  let isBusy = false;

  const isFull = () => isBusy && queue.length >= waitingMax;

  /** Resolves when it is the caller's turn. */
  function waitForTurn(signal: AbortSignal): Promise<void> {
    if (!isBusy) {
      isBusy = true;
      return Promise.resolve();
    }
    if (isFull()) {
      onRefused('queue_full');
      return Promise.reject(tooBusy());
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        stopWaiting();
        resolve();
      };
      const leave = (reason: unknown) => {
        stopWaiting();
        queue.splice(queue.indexOf(begin), 1);
        reject(reason);
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => {
        onRefused('queue_timeout');
        leave(tooBusy());
      }, waitMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort);
      queue.push(begin);
    });
  }

  return {
    isFull,
    waiting: () => queue.length,
    async run(work, signal) {
      signal.throwIfAborted();
      await waitForTurn(signal);
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else isBusy = false;
      }
    },
  };
}

/** The files of one form while they are received. */
interface IncomingForm {
  files: readonly FileHandle[];
  /** Writes one file to the disk. @throws 503 when all forms together hold too many bytes */
  save(content: Readable): Promise<void>;
  /** Aborts running writes and releases the files' disk space. */
  close(): Promise<void>;
}

/** Returns whether an error comes from the disk, not from the connection. */
export const isDiskError = (error: unknown): boolean =>
  ['open', 'write', 'mkdir', 'unlink'].includes((error as { syscall?: string }).syscall ?? '');

/**
 * Creates temporary storage for uploads: unlinked files, which the system removes when they are closed,
 * even when the process crashes. All forms together hold at most `bytesMax` bytes.
 */
export function createIncoming({ directory, bytesMax }: { directory: string; bytesMax: number }) {
  let bytesHeld = 0;

  async function openUnlinked(): Promise<FileHandle> {
    await mkdir(directory, { recursive: true });
    const name = path.join(directory, `${randomUUID()}.part`);
    const file = await open(name, 'wx+', 0o600);
    await unlink(name);
    return file;
  }

  function openForm(): IncomingForm {
    const files: FileHandle[] = [];
    const writing: Promise<void>[] = [];
    const closing = new AbortController();
    let ownBytes = 0;

    async function* count(content: Readable) {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        if (bytesHeld + chunk.length > bytesMax) {
          countRefused('disk_budget');
          throw tooBusy();
        }
        bytesHeld += chunk.length;
        ownBytes += chunk.length;
        yield chunk;
      }
    }

    async function write(content: Readable): Promise<void> {
      addAbortSignal(closing.signal, content);
      const file = await openUnlinked();
      files.push(file);
      await writeFile(file, count(content));
    }

    return {
      files,
      save(content) {
        const written = write(content);
        writing.push(written);
        return written;
      },
      async close() {
        closing.abort();
        await Promise.allSettled(writing);
        await Promise.allSettled(files.map((file) => file.close()));
        bytesHeld -= ownBytes;
        ownBytes = 0;
      },
    };
  }

  return { openForm, bytesHeld: () => bytesHeld };
}

const FIELD = 'images';
const MEGABYTE = 1024 * 1024;

/** Largest form: its pictures and the multipart overhead. */
export const FORM_BYTES_MAX = UPLOAD_FILES_MAX * UPLOAD_BYTES_MAX + MEGABYTE;

const limits = {
  fileSize: UPLOAD_BYTES_MAX,
  files: UPLOAD_FILES_MAX,
  fields: 10,
  fieldSize: 1024,
  parts: UPLOAD_FILES_MAX + 10,
};

type Receiver = (request: unknown, response: unknown, done: (error?: unknown) => void) => void;

/** Checks the headers before the body is read. @throws 415 or 413 */
export function requireForm(ctx: Context): void {
  if (!ctx.request.is('multipart/form-data')) {
    throw unsupported(
      msg('Send the pictures as multipart/form-data, in the field "{field}".', { field: FIELD }),
    );
  }
  if ((ctx.request.length ?? 0) > FORM_BYTES_MAX) throw tooManyFiles();
}

/**
 * Writes the files of a multipart request into `form`, until `signal` aborts.
 * @throws 413 when a file is too large or there are too many, 400 when there is none or the form is
 * broken, and what the disk throws
 */
export async function receiveFiles(
  request: IncomingMessage,
  form: IncomingForm,
  signal: AbortSignal,
): Promise<void> {
  const receive = multer({ storage: storageOf(form), limits }).array(
    FIELD,
    UPLOAD_FILES_MAX,
  ) as Receiver;
  await new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    // Multer itself stops only when the connection closes.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    receive(request, undefined, (error) => (error ? reject(toRefusal(error)) : resolve()));
  });
  if (form.files.length === 0)
    throw invalid(msg('Send at least one picture, in the field "{field}".', { field: FIELD }));
}

const storageOf = (form: IncomingForm): StorageEngine => ({
  _handleFile: (_request, { stream }, done) =>
    void form.save(stream).then(() => done(null, {}), done),
  // The form closes all its files together.
  _removeFile: (_request, _file, done) => done(null),
});

const tooManyFiles = () =>
  tooLarge(
    msg('Upload up to {max} images, in the field "{field}".', {
      max: UPLOAD_FILES_MAX,
      field: FIELD,
    }),
  );

function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || isDiskError(error)) return error;
  const code = error instanceof MulterError ? error.code : undefined;
  if (code === 'LIMIT_FILE_SIZE') {
    return tooLarge(
      msg('A picture can have at most {max} MB.', { max: UPLOAD_BYTES_MAX / MEGABYTE }),
    );
  }
  if (code === 'LIMIT_FILE_COUNT' || code === 'LIMIT_UNEXPECTED_FILE') return tooManyFiles();
  return invalid(msg("We couldn't read the upload. Please try again."));
}
