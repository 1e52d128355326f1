import sharp from 'sharp';

/** Limits of decoding; passed as an argument, since importing the contract takes longer than decoding. */
export interface DecodeRules {
  pixelsMax: number;
  /** Longest side of each size, in pixels. */
  sizes: { large: number; small: number };
  cpuMaxMs: number;
  memoryMaxBytes: number;
}

/** A picture in the two sizes that are stored. */
export interface Picture {
  large: Buffer;
  small: Buffer;
  /** Of the large size, in pixels. */
  width: number;
  height: number;
}

/** Why a picture is refused: too many pixels, unreadable, or over the time or memory limit. */
export type DecodeRefusal = 'pixels' | 'damaged' | 'time' | 'memory';

/** The outcome of decoding. */
export type Decoded = { picture: Picture } | { refusal: DecodeRefusal };

// Allow only the decoders of the four accepted formats.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a picture once and encodes it as WebP in two sizes, upright and without metadata, which may
 * hold a location. Checks the number of pixels in the header before decoding.
 */
export async function decodePicture(
  file: Buffer,
  { pixelsMax, sizes }: Pick<DecodeRules, 'pixelsMax' | 'sizes'>,
): Promise<Decoded> {
  // Cameras leave bytes behind that decoders warn of; what is cut off or can't be read is still refused.
  const options = { limitInputPixels: pixelsMax, sequentialRead: true, failOn: 'error' } as const;
  try {
    const { width, height } = await sharp(file, options).metadata();
    if (width * height > pixelsMax) return { refusal: 'pixels' };
    const side = (pixels: number) =>
      ({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true }) as const;
    // libvips shrinks on load where the format allows it, so rotating is cheap.
    const { data, info } = await sharp(file, options)
      .autoOrient()
      .resize(side(sizes.large))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const upright = () =>
      sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    const large = await upright().webp({ quality: 80 }).toBuffer();
    const small = await upright().resize(side(sizes.small)).webp({ quality: 80 }).toBuffer();
    return { picture: { large, small, width: info.width, height: info.height } };
  } catch (error) {
    return { refusal: /pixel limit/.test((error as Error).message) ? 'pixels' : 'damaged' };
  }
}
