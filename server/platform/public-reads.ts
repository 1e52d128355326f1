import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ChangedBy } from '#contract/platform';
import type { EventLog, Following } from './event-log.ts';
import { answersFromMemory } from './metrics.ts';

type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  /** Small ones are text, which Node writes together with the head, not beside it. */
  body: Buffer | string;
  bytes: number;
  tag: string;
  /** Names and values in turn, as Node writes them fastest. */
  headers: string[];
}

interface Entry {
  url: string;
  route: string;
  /** The events that end it, as keys of the index. */
  endedBy: string[];
  /** When it ends by itself, in milliseconds since the epoch. */
  endsAt: number;
  made: Promise<void>;
  hash: string;
  headers: OutgoingHttpHeaders;
  variants: Partial<Record<Encoding, Variant>>;
  /** Being packed at this moment. */
  packing: Encoding | undefined;
}

/** What an answer is made from. */
interface Making {
  request: IncomingMessage;
  route: string;
  changedBy: ChangedBy;
  /** The id that the address names, if it does. */
  about: string | undefined;
  headers: () => OutgoingHttpHeaders;
  load: () => Promise<string>;
}

export type PublicReads = ReturnType<typeof createPublicReads>;

const ENTRIES_MAX = 2000;
const BYTES_MAX = 64 * 1024 * 1024;
/** Nobody else will ask for such a long, odd search. */
const URL_MAX = 300;
/** Smaller bodies are not worth packing. */
const PACK_FROM_BYTES = 1024;
/** A net below the events: what cannot be wrong is made anew now and then all the same. */
const LIFE_MS = 60_000;
const DAY_MS = 86_400_000;

const packers = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
};

const ending = (name: string, about?: string) => (about === undefined ? name : `${name} ${about}`);

/**
 * Answers that are the same for everybody, kept as they go over the wire until the very event that
 * makes them wrong. Each process keeps its own and hears of changes through the event log. Requests
 * that come while an answer is being made wait for it instead of asking the database too.
 */
export function createPublicReads(eventLog: EventLog) {
  const entries = new Map<string, Entry>();
  const index = new Map<string, Set<Entry>>();
  let bytes = 0;
  let following: Following | undefined;

  function drop(entry: Entry): void {
    if (entries.get(entry.url) !== entry) return;
    entries.delete(entry.url);
    for (const key of entry.endedBy) {
      const ended = index.get(key);
      ended?.delete(entry);
      if (ended?.size === 0) index.delete(key);
    }
    for (const variant of Object.values(entry.variants)) bytes -= variant.bytes;
  }

  function forget(event: { name: string; data: unknown }): void {
    const { _id } = event.data as { _id?: string };
    for (const key of [ending(event.name), ending(event.name, _id)]) {
      for (const entry of [...(index.get(key) ?? [])]) drop(entry);
    }
  }

  // What is heard in passing is dropped before the writer gets their answer, so that they never read
  // what they have just replaced; the follower makes sure of what was not heard.
  const stopHearing = eventLog.overhear((events) => events.forEach(forget));

  /** Begins to keep answers. */
  async function start(): Promise<void> {
    following = eventLog.follow(await eventLog.head(), forget);
  }

  function keep(entry: Entry): void {
    entries.set(entry.url, entry);
    for (const key of entry.endedBy) {
      const ended = index.get(key);
      if (ended) ended.add(entry);
      else index.set(key, new Set([entry]));
    }
    for (const oldest of entries.values()) {
      if (entries.size <= ENTRIES_MAX && bytes <= BYTES_MAX) break;
      drop(oldest);
    }
  }

  function addVariant(entry: Entry, encoding: Encoding, body: Buffer | string): void {
    const size = Buffer.byteLength(body);
    const tag = encoding === 'identity' ? `"${entry.hash}"` : `"${entry.hash}-${encoding}"`;
    const headers = {
      ...entry.headers,
      'content-type': 'application/json; charset=utf-8',
      etag: tag,
      'content-length': String(size),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    };
    entry.variants[encoding] = {
      body,
      bytes: size,
      tag,
      headers: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    };
    if (entries.get(entry.url) === entry) bytes += size;
  }

  async function make(entry: Entry, making: Making): Promise<void> {
    const text = await making.load();
    const body = Buffer.byteLength(text) < PACK_FROM_BYTES ? text : Buffer.from(text);
    entry.hash = createHash('sha1').update(body).digest('base64url');
    entry.headers = {
      ...making.headers(),
      // Kept by browsers too, but never shown again without asking whether it still holds.
      'cache-control': 'no-cache',
      ...(body === text ? {} : { vary: 'Accept-Encoding' }),
    };
    addVariant(entry, 'identity', body);
    await pack(entry, encodingFor(making.request), body);
  }

  function begin(url: string, making: Making): Entry {
    const { any = [], own = [] } = making.changedBy;
    const now = Date.now();
    const entry: Entry = {
      url,
      route: making.route,
      endedBy: [
        ...any.map((name) => ending(name)),
        ...own.map((name) => ending(name, making.about)),
      ],
      // Products end with their day.
      endsAt: Math.min(now + LIFE_MS, now - (now % DAY_MS) + DAY_MS),
      made: Promise.resolve(),
      hash: '',
      headers: {},
      variants: {},
      packing: undefined,
    };
    if (following && url.length <= URL_MAX) keep(entry);
    entry.made = make(entry, making);
    entry.made.catch(() => drop(entry));
    return entry;
  }

  /**
   * Answers a request that {@link serve} could not, by making the answer or waiting for the one being
   * made. @throws whatever `load` throws
   */
  async function answer(making: Making, response: ServerResponse): Promise<void> {
    const url = making.request.url ?? '';
    const known = entries.get(url);
    const entry = known && known.endsAt > Date.now() ? known : begin(url, making);
    if (known && known !== entry) drop(known);
    await entry.made;
    send(entry, making.request, response);
  }

  /** Answers a request at once when its answer is at hand. @returns whether it did */
  function serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false;
    const entry = entries.get(request.url ?? '');
    if (!entry?.variants.identity || entry.endsAt <= Date.now()) return false;
    send(entry, request, response);
    answersFromMemory.count(entry.route);
    return true;
  }

  function send(entry: Entry, request: IncomingMessage, response: ServerResponse): void {
    const encoding = encodingFor(request);
    const variant = entry.variants[encoding] ?? entry.variants.identity;
    if (!variant) throw new Error('An answer was sent before it was made.');
    if (request.headers['if-none-match'] === variant.tag) {
      response.writeHead(304, { ...entry.headers, etag: variant.tag });
      response.end();
      return;
    }
    response.writeHead(200, variant.headers);
    response.end(variant.body);
    if (variant !== entry.variants[encoding]) void pack(entry, encoding, variant.body);
  }

  /** Packs for those who ask next; whoever asks meanwhile gets the plain body. */
  async function pack(entry: Entry, encoding: Encoding, body: Buffer | string): Promise<void> {
    if (encoding === 'identity' || entry.packing || typeof body === 'string') return;
    entry.packing = encoding;
    addVariant(entry, encoding, await packers[encoding](body));
    entry.packing = undefined;
  }

  async function close(): Promise<void> {
    stopHearing();
    await following?.close();
  }

  return { start, answer, serve, close };
}

function encodingFor(request: IncomingMessage): Encoding {
  const accepted = request.headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}
