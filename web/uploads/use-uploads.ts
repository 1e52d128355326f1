import { useEffect, useRef, useState } from 'react';
import { UPLOAD_BYTES_MAX, type UploadedImage } from '#contract/uploads';
import { type Answer, api } from '../lib/api.ts';
import { errorSentence } from '../lib/api-error.ts';
import { newId } from '../lib/new-id.ts';

/** What the file dialog offers; the server looks into the files themselves. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
];

const MEGABYTE = 1024 * 1024;

/** A picture on its way. */
export type Upload = {
  id: string;
  name: string;
  /** An address of the file itself, for a preview. */
  preview: string;
  /** How much of it has gone out, from 0 to 1. */
  part: number;
};

function problemOf(file: File): string | undefined {
  // Some systems do not know a file's kind; the server will.
  if (file.type !== '' && !PICTURE_TYPES.includes(file.type)) {
    return `${file.name} is no JPEG, PNG, WebP or AVIF picture.`;
  }
  if (file.size > UPLOAD_BYTES_MAX) {
    return `${file.name} is larger than ${UPLOAD_BYTES_MAX / MEGABYTE} MB.`;
  }
  return undefined;
}

/**
 * Uploads pictures one after the other, so that they arrive in the order they were given. `onArrived`
 * gets the address of each. What went wrong stands in `problems` until the next pictures are given.
 */
export function useUploads(onArrived: (url: string) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const running = useRef(new Map<string, { preview: string; stop: AbortController }>());
  const queue = useRef(Promise.resolve());
  const arrived = useRef(onArrived);
  useEffect(() => {
    arrived.current = onArrived;
  });
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
      const { data } = await api.upload<Answer<UploadedImage[]>>('/uploads', form, {
        signal,
        onProgress: (part) =>
          setUploads((all) => all.map((each) => (each.id === id ? { ...each, part } : each))),
      });
      if (signal.aborted) return;
      for (const { url } of data) arrived.current(url);
    } catch (error) {
      if (signal.aborted) return;
      setProblems((all) => [...all, `${file.name}: ${errorSentence(error)}`]);
    }
    finish(id);
  };

  /** Takes files in, at most `room` of them. */
  const add = (files: readonly File[], room: number, tooMany: string) => {
    const good = files.filter((file) => problemOf(file) === undefined);
    setProblems([
      ...files.map(problemOf).filter((problem) => problem !== undefined),
      ...(good.length > room ? [tooMany] : []),
    ]);
    for (const file of good.slice(0, Math.max(0, room))) {
      const id = newId();
      const preview = URL.createObjectURL(file);
      const stop = new AbortController();
      running.current.set(id, { preview, stop });
      setUploads((all) => [...all, { id, name: file.name, preview, part: 0 }]);
      queue.current = queue.current.then(() => send(id, file, stop.signal));
    }
  };

  const cancel = (id: string) => {
    running.current.get(id)?.stop.abort();
    finish(id);
  };

  return { uploads, problems, add, cancel };
}
