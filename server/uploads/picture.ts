import sharp from 'sharp';
import { IMAGE_SIZES } from '#contract/uploads';
import { invalid, tooLarge, unsupported } from '../platform/errors.ts';

/** A picture in the two sizes it is kept in. */
export interface Picture {
  large: Buffer;
  small: Buffer;
  /** Of the large size, in pixels. */
  width: number;
  height: number;
}

/** More than any camera makes; a few bytes can claim to be far more and fill the memory. */
const PIXELS_MAX = 60_000_000;

/** True for the first bytes of a JPEG, PNG, WebP or AVIF file; a name proves nothing. */
function isKnownFormat(file: Buffer): boolean {
  const ascii = (start: number, end: number) => file.toString('latin1', start, end);
  return (
    file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
    ascii(0, 8) === '\x89PNG\r\n\x1a\n' ||
    (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') ||
    (ascii(4, 8) === 'ftyp' && /avi[fs]/.test(ascii(8, 40)))
  );
}

/**
 * Decodes an uploaded picture and encodes it anew as WebP, upright and without its metadata, which
 * may tell where it was taken.
 * @throws 415 when it is none of the formats taken, 413 when it has too many pixels, 400 when it is
 * damaged
 */
export async function readPicture(file: Buffer): Promise<Picture> {
  if (!isKnownFormat(file)) throw unsupported('Upload JPEG, PNG, WebP or AVIF pictures.');
  const inSize = (side: number) =>
    sharp(file, { limitInputPixels: PIXELS_MAX })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true });
  try {
    const large = await inSize(IMAGE_SIZES.large);
    const small = await inSize(IMAGE_SIZES.small);
    const { width, height } = large.info;
    return { large: large.data, small: small.data, width, height };
  } catch (error) {
    if (/pixel limit/.test((error as Error).message)) {
      throw tooLarge('This picture has too many pixels. Please make it smaller first.');
    }
    throw invalid('This picture is damaged and cannot be read.');
  }
}
