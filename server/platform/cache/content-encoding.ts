import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
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
