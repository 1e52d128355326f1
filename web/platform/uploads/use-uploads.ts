import { useEffect, useRef, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { UPLOAD_BYTES_MAX, uploadsApi } from '#contract/platform/uploads/constants';
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

/** The types that the file dialog offers; the server checks the content of the files. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
];

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** A picture that is being uploaded. */
export type Upload = {
  id: string;
  name: string;
  /** An object URL of the file. */
  preview: string;
  /** The uploaded fraction, from 0 to 1. */
  progress: number;
};

function problemOf(file: File): string | undefined {
  // Some systems do not know a file's type; the server checks it.
  if (file.type !== '' && !PICTURE_TYPES.includes(file.type)) {
    return t("{name} isn't a JPEG, PNG, WebP or AVIF picture.", { name: file.name });
  }
  if (file.size > UPLOAD_BYTES_MAX) {
    return t('{name} is larger than {limit} MB.', {
      name: file.name,
      limit: UPLOAD_BYTES_MAX / BYTES_PER_MEGABYTE,
    });
  }
  return undefined;
}

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

/**
 * Uploads pictures one after the other, in the given order. `onUploaded` gets the URL of each,
 * `onUploading` whether any is under way.
 * `problems` are the errors since the last call of `add`.
 */
export function useUploads(
  onUploaded: (url: string) => void,
  onUploading: (isUploading: boolean) => void,
) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const running = useRef(new Map<string, { preview: string; stop: AbortController }>());
  const queue = useRef(Promise.resolve());
  const notifyUploaded = useStableCallback(onUploaded);
  const isUploading = uploads.length > 0;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { preview, stop } of all.values()) {
        stop.abort();
        URL.revokeObjectURL(preview);
      }
    };
  }, []);

  const finish = (id: string) => {
    const one = running.current.get(id);
    if (one) URL.revokeObjectURL(one.preview);
    running.current.delete(id);
    setUploads((all) => all.filter((each) => each.id !== id));
  };

  const send = async (id: string, file: File, signal: AbortSignal) => {
    if (signal.aborted) return;
    const form = new FormData();
    form.append('images', file);
    try {
      const { data } = await sendWithRetry(
        () =>
          upload(form, signal, (progress) =>
            setUploads((all) => all.map((each) => (each.id === id ? { ...each, progress } : each))),
          ),
        signal,
      );
      if (signal.aborted) return;
      for (const { url } of data) notifyUploaded(url);
    } catch (error) {
      if (signal.aborted) return;
      setProblems((all) => [...all, `${file.name}: ${errorMessage(error)}`]);
    }
    finish(id);
  };

  /** Adds at most `remaining` files. */
  const add = (files: readonly File[], remaining: number, tooMany: string) => {
    const good = files.filter((file) => problemOf(file) === undefined);
    setProblems([
      ...files.map(problemOf).filter((problem) => problem !== undefined),
      ...(good.length > remaining ? [tooMany] : []),
    ]);
    for (const file of good.slice(0, Math.max(0, remaining))) {
      const id = newId();
      const preview = URL.createObjectURL(file);
      const stop = new AbortController();
      running.current.set(id, { preview, stop });
      setUploads((all) => [...all, { id, name: file.name, preview, progress: 0 }]);
      queue.current = queue.current.then(() => send(id, file, stop.signal));
    }
  };

  const cancel = (id: string) => {
    running.current.get(id)?.stop.abort();
    finish(id);
  };

  return { uploads, problems, add, cancel };
}
