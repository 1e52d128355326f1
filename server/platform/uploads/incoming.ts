import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { countRefused } from './metrics.ts';
import { tooBusy } from './serial-queue.ts';

/** The files of one form while they are received. */
export interface IncomingForm {
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
