import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isolate } from '#contract/platform/text/constants/reader';
import { uploadsApi } from '#contract/platform/uploads/constants';
import {
  type AnswerOf,
  apiUrl,
  headersOf,
  networkError,
  newId,
  readAnswer,
  sessionEnded,
} from '../api/api.ts';
import { ApiError, errorMessage } from '../api/api-error.ts';
import { listen } from '../hooks/listen.ts';
import { useStableCallback } from '../hooks/use-stable-callback.ts';
import { isHeld, readToken } from '../session/session.ts';

const MAX_ATTEMPTS = 5;
/** After a longer Retry-After the error is shown and the user decides. */
const MAX_WAIT_SECONDS = 15;

/** Waits for `seconds` or until `signal` aborts. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    const stop = listen(signal, ['abort'], end);
  });
}

/**
 * Retries an upload after a short Retry-After of the server: another upload of the same account is
 * running, or many pictures are being processed.
 */
export async function sendWithRetry<Result>(
  send: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > MAX_WAIT_SECONDS || attempt === MAX_ATTEMPTS)
        throw error;
      await pause(seconds, signal);
      if (signal.aborted) throw error;
    }
  }
}

/**
 * The types that the file dialog offers. HEIC is not among them, so that phones hand over JPEG in its place. The content
 * of a file decides.
 */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
];

/** A picture that is on its way. */
export type Upload = {
  id: string;
  name: string;
  /** An object URL of what is sent; null while it is made smaller. */
  preview: string | null;
  /** The uploaded fraction, from 0 to 1; null while it is made smaller, or waits. */
  progress: number | null;
  /** Why it isn't there yet, where trying again may help. */
  failure?: string;
};

/** Makes a picture smaller by a file of scripts that only uploads need. */
async function prepare(file: File, signal: AbortSignal): Promise<Blob> {
  const { shrinkPicture } = await import('./shrink.ts').catch((cause) => {
    throw networkError(cause);
  });
  return shrinkPicture(file, signal);
}

/** Whether two files are the same one, chosen twice. */
const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/**
 * Uploads with XMLHttpRequest, because `fetch` reports no upload progress (0 to 1). Rejects with `ApiError`, or with
 * `AbortError` when `signal` aborts.
 */
function upload(
  form: FormData,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<AnswerOf<typeof uploadsApi.create>> {
  const token = readToken();
  const { method, path } = uploadsApi.create;
  return new Promise((resolve, reject) => {
    if (isHeld(token)) return reject(sessionEnded());
    const request = new XMLHttpRequest();
    request.open(method, apiUrl(path));
    for (const [name, value] of Object.entries(headersOf(token))) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const headers = { get: (name: string) => request.getResponseHeader(name) };
      try {
        resolve(readAnswer({ status: request.status, headers }, request.responseText, token));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(networkError(undefined));
    request.onabort = () => reject(new DOMException(undefined, 'AbortError'));
    if (signal.aborted) return request.onabort(new ProgressEvent('abort'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

interface Running {
  file: File;
  /** What is sent, once it is small enough. */
  content?: Blob;
  preview?: string;
  stop: AbortController;
  /** Whether it waits for the connection or for its person. */
  hasFailed: boolean;
}

/**
 * Uploads pictures one after the other, in the given order, each made as small as the server keeps it. `onUploaded` gets
 * the URL of each, `onUploading` whether any is under way. What fails for a while stays, for `retry`, and is tried again
 * when the connection is back. `problems` are the errors since the last call of `add`.
 */
export function useUploads(
  onUploaded: (url: string) => void,
  onUploading: (isUploading: boolean) => void,
) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const running = useRef(new Map<string, Running>());
  const queue = useRef(Promise.resolve());
  const notifyUploaded = useStableCallback(onUploaded);
  const isUploading = uploads.some(({ failure }) => failure === undefined);
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { preview, stop } of all.values()) {
        stop.abort();
        if (preview) URL.revokeObjectURL(preview);
      }
    };
  }, []);

  const change = (id: string, changes: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changes } : each)));

  const finish = (id: string) => {
    const preview = running.current.get(id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    running.current.delete(id);
    setUploads((all) => all.filter((each) => each.id !== id));
  };

  const send = async (id: string, one: Running) => {
    const { file, stop } = one;
    if (stop.signal.aborted) return;
    try {
      if (!one.content) {
        one.content = await prepare(file, stop.signal);
        if (stop.signal.aborted) return;
        one.preview = URL.createObjectURL(one.content);
        change(id, { preview: one.preview });
      }
      const form = new FormData();
      form.append('images', one.content);
      const { data } = await sendWithRetry(
        () => upload(form, stop.signal, (progress) => change(id, { progress })),
        stop.signal,
      );
      if (stop.signal.aborted) return;
      for (const { url } of data) notifyUploaded(url);
    } catch (error) {
      if (stop.signal.aborted) return;
      const failure = `${isolate(file.name)}: ${errorMessage(error)}`;
      if (mayHelpToRetry(error)) {
        one.hasFailed = true;
        return change(id, { progress: null, failure });
      }
      setProblems((all) => [...all, failure]);
    }
    finish(id);
  };

  const enqueue = (id: string, one: Running) => {
    queue.current = queue.current.then(() => send(id, one));
  };

  /** Adds at most `remaining` files; one that is on its way already is not added again. */
  const add = (files: readonly File[], remaining: number, tooMany: string) => {
    const known = [...running.current.values()].map(({ file }) => file);
    const added = files.filter((file) => !known.some((other) => isSame(file, other)));
    setProblems(added.length > remaining ? [tooMany] : []);
    for (const file of added.slice(0, Math.max(0, remaining))) {
      const id = newId();
      const one = { file, stop: new AbortController(), hasFailed: false };
      running.current.set(id, one);
      setUploads((all) => [...all, { id, name: file.name, preview: null, progress: null }]);
      enqueue(id, one);
    }
  };

  const cancel = (id: string) => {
    running.current.get(id)?.stop.abort();
    finish(id);
  };

  const retry = (id: string) => {
    const one = running.current.get(id);
    // Twice at once is once.
    if (!one?.hasFailed) return;
    one.hasFailed = false;
    setUploads((all) => all.map((each) => (each.id === id ? withoutFailure(each) : each)));
    enqueue(id, one);
  };

  const retryAll = useEffectEvent(() => {
    for (const id of running.current.keys()) retry(id);
  });
  useEffect(() => listen(window, ['online'], () => retryAll()), []);

  return { uploads, problems, add, cancel, retry };
}

const withoutFailure = ({ failure: _, ...upload }: Upload): Upload => upload;

/** No answer, a slow connection, or a server that has too much to do. */
const mayHelpToRetry = (error: unknown): boolean =>
  error instanceof ApiError && (error.isTemporary || error.status === 408);
