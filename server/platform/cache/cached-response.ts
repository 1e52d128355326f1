import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { COMPRESS_FROM_BYTES, compressBody, type Encoding } from './content-encoding.ts';

interface Variant {
  /** Small bodies are strings, which Node writes together with the headers. */
  body: Buffer | string;
  etag: string;
  /** Names and values alternate: the form that Node writes fastest. */
  headers: string[];
}

/** A response, JSON unless its headers say otherwise, in every encoding that was requested so far, ready to be written. */
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
