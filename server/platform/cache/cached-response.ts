import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import fresh from 'fresh';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Bodies below this many bytes gain nothing from compression. */
export const COMPRESS_FROM_BYTES = 1024;

/**
 * Options for responses that are compressed on request. Node's default Brotli quality (11) costs ten
 * times the CPU for a few percent less size.
 */
export const BROTLI_OPTIONS: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
};
export const GZIP_OPTIONS: ZlibOptions = { level: 6 };

/** Encodings by preference, which decides between those that the client weights equally. */
const OFFERED_ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];

/** The second argument of `encoding` is missing in the type package. */
interface EncodingNegotiator {
  encoding(available: string[], options: { preferred: string[] }): string | undefined;
}

/** Bounds of the cache below; real clients send a handful of different headers. */
const CACHED_HEADERS_MAX = 200;
const HEADER_LENGTH_MAX = 200;
const chosenByHeader = new Map<string, Encoding>();

/** Returns the encoding for an `Accept-Encoding` header by RFC 9110 (weights, `*`, unknown names). */
export function chooseEncoding(header: string | undefined): Encoding {
  // Without the header any encoding is allowed, but the client may not support compression.
  if (header === undefined) return 'identity';
  const known = chosenByHeader.get(header);
  if (known) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const chosen = (negotiator as EncodingNegotiator).encoding(OFFERED_ENCODINGS, {
    preferred: OFFERED_ENCODINGS,
  });
  // A client that refuses `identity` too still gets it instead of 406.
  const encoding = OFFERED_ENCODINGS.find((offered) => offered === chosen) ?? 'identity';
  if (header.length <= HEADER_LENGTH_MAX) {
    if (chosenByHeader.size >= CACHED_HEADERS_MAX) chosenByHeader.clear();
    chosenByHeader.set(header, encoding);
  }
  return encoding;
}

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI_OPTIONS),
  gzip: (body: Buffer) => promisify(gzip)(body, GZIP_OPTIONS),
};

/** Compresses a whole body. */
export const compressBody = (body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> =>
  compressors[encoding](body);

interface Variant {
  /** Small bodies are strings, which Node writes together with the headers. */
  body: Buffer | string;
  etag: string;
  /** Names and values alternate: the form that Node writes fastest. */
  headers: string[];
}

/**
 * A response, JSON unless its headers say otherwise, in every encoding that was requested so far, ready to be written.
 */
export interface CachedResponse {
  /** Returns the body. */
  text(): string;
  /** Writes the response, or 304 when the client has it. */
  send(request: IncomingMessage, response: ServerResponse, encoding: Encoding): void;
  /** Compresses the body for this encoding, once. */
  prepare(encoding: Encoding): Promise<void>;
}

/** Prepares a response from its body. Calls `onGrow` with the bytes of each encoding that is added. */
export function createCachedResponse(
  text: string,
  commonHeaders: OutgoingHttpHeaders,
  onGrow: (bytes: number) => void,
): CachedResponse {
  const isCompressible = Buffer.byteLength(text) >= COMPRESS_FROM_BYTES;
  const plain = isCompressible ? Buffer.from(text) : text;
  const hash = createHash('sha1').update(plain).digest('base64url');
  const headers = {
    ...commonHeaders,
    // Browsers may store it but must revalidate each time.
    'cache-control': 'no-cache',
    ...(isCompressible ? { vary: 'Accept-Encoding' } : {}),
  };
  const identity = makeVariant('identity', plain);
  const variants: Partial<Record<Encoding, Variant>> = { identity };
  const compressing = new Set<Encoding>();

  function makeVariant(encoding: Encoding, body: Buffer | string): Variant {
    const bytes = Buffer.byteLength(body);
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
    const all = {
      'content-type': 'application/json; charset=utf-8',
      ...headers,
      etag,
      'content-length': String(bytes),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    };
    onGrow(bytes);
    return {
      body,
      etag,
      headers: Object.entries(all).flatMap(([name, value]) => [name, String(value)]),
    };
  }

  async function prepare(encoding: Encoding): Promise<void> {
    if (encoding === 'identity' || typeof plain === 'string') return;
    if (variants[encoding] || compressing.has(encoding)) return;
    compressing.add(encoding);
    try {
      variants[encoding] = makeVariant(encoding, await compressBody(plain, encoding));
    } finally {
      compressing.delete(encoding);
    }
  }

  function send(request: IncomingMessage, response: ServerResponse, encoding: Encoding): void {
    const variant = variants[encoding] ?? identity;
    if (request.headers['if-none-match'] && fresh(request.headers, { etag: variant.etag })) {
      response.writeHead(304, { ...headers, etag: variant.etag });
      response.end();
      return;
    }
    response.writeHead(200, variant.headers);
    response.end(variant.body);
    // Compress for the next requests; this one gets the uncompressed body.
    if (variant === identity) prepare(encoding).catch(() => {});
  }

  return { text: () => plain.toString(), send, prepare };
}
