import { Resolver } from 'node:dns/promises';
import type { FileHandle } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import path from 'node:path';
import { Readable } from 'node:stream';
import { msg } from '#contract/platform/text/constants/texts';
import { UPLOAD_BYTES_MAX } from '#contract/platform/uploads/constants';
import type { Database } from '../../../prisma/client.ts';
import { invalidField } from '../../platform/http/errors.ts';
import type { Env } from '../../platform/process/env.ts';
import { createPublicAgent } from '../../platform/process/public-agent.ts';
import { isPublicUrl } from '../../platform/process/push.ts';
import type { Picture } from '../../platform/uploads/decode.ts';
import { readPicture, requireKnownFormat } from '../../platform/uploads/picture.ts';
import { createIncoming } from '../../platform/uploads/receive.ts';
import { storePicture } from '../../platform/uploads/service.ts';
import { createStorage } from '../../platform/uploads/storage.ts';

/** For one picture, all redirects included, and what decoding it may take: a part of the transaction of a timer. */
const DEADLINE_MS = 6000;
const DECODE_LIMITS = { cpuMaxMs: 3000, memoryMaxBytes: 768 * 1024 * 1024, wallClockMaxMs: 30_000 };
const REDIRECTS_MAX = 3;
/** Files of one process that are received at once. */
const INCOMING_BYTES_MAX = 8 * UPLOAD_BYTES_MAX;

const unreachable = () =>
  invalidField(
    'images',
    msg("This picture couldn't be fetched. Look at its address, or leave it empty."),
  );

export interface PictureFetcherOptions {
  /** PEM of a certificate authority to trust instead of the default ones. */
  ca?: string;
  deadlineMs?: number;
}

export type FetchPicture = (ownerId: string, url: string) => Promise<string>;

/**
 * Creates what fetches a picture of a farm from an address that it names, and stores it as an upload. Only the open
 * internet is called, wherever an address redirects to.
 */
export function createPictureFetcher(
  { db, env }: { db: Database; env: Env },
  { ca, deadlineMs = DEADLINE_MS }: PictureFetcherOptions = {},
): FetchPicture {
  const incoming = createIncoming({
    directory: path.join(env.DATA_DIR, 'incoming'),
    bytesMax: INCOMING_BYTES_MAX,
  });
  const storage = createStorage(env);
  const agent = createPublicAgent({
    isLoopbackAllowed: env.NODE_ENV === 'test',
    resolver: new Resolver({ timeout: 2000, tries: 2 }),
    ...(ca ? { ca } : {}),
  });

  /** Returns the file at an address, or to where it redirects. */
  function load(url: string, signal: AbortSignal, redirects = 0): Promise<Buffer> {
    if (!isPublicUrl(env, url) || redirects > REDIRECTS_MAX) return Promise.reject(unreachable());
    return new Promise((resolve, reject) => {
      const fail = () => reject(unreachable());
      const request = httpsRequest(url, { agent, signal }, (response) => {
        response.on('error', fail);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location) {
          response.destroy();
          if (!URL.canParse(headers.location, url)) return fail();
          const next = new URL(headers.location, url).href;
          load(next, signal, redirects + 1).then(resolve, reject);
          return;
        }
        const chunks: Buffer[] = [];
        let bytes = 0;
        if (statusCode !== 200) {
          request.destroy();
          return fail();
        }
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes > UPLOAD_BYTES_MAX) {
            reject(
              invalidField(
                'images',
                msg('A picture can have at most {max} MB.', {
                  max: UPLOAD_BYTES_MAX / 1024 / 1024,
                }),
              ),
            );
            request.destroy();
          }
        });
        response.on('end', () => resolve(Buffer.concat(chunks)));
        response.on('close', fail);
      });
      request.on('error', fail);
      request.end();
    });
  }

  let decoding: Promise<unknown> = Promise.resolve();
  /** Decodes one picture at a time, which takes much memory. */
  function decode(file: FileHandle): Promise<Picture> {
    const decoded = decoding.then(() =>
      readPicture(file, new AbortController().signal, DECODE_LIMITS),
    );
    decoding = decoded.catch(() => {});
    return decoded;
  }

  /** @throws 400, 413 or 415 with what is wrong with the picture */
  return async (ownerId, url) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const bytes = await load(url, signal);
    const form = incoming.openForm();
    try {
      await form.save(Readable.from([bytes]));
      const [file] = form.files;
      if (!file) throw unreachable();
      await requireKnownFormat(file);
      const picture = await decode(file);
      const { url: stored } = await storePicture({ db, storage }, ownerId, picture);
      return stored;
    } finally {
      await form.close();
    }
  };
}
