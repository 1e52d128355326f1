import { t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  IMAGE_SIZES,
  UPLOAD_BYTES_MAX,
  UPLOAD_PIXELS_MAX,
} from '#contract/platform/uploads/constants';
import {
  KIND_BYTES,
  KIND_REFUSALS,
  kindOf,
  type PictureKind,
} from '#contract/platform/uploads/kinds';

/** A smaller file is sent as it is: there is nothing to gain by encoding it twice. */
const UNTOUCHED_BYTES_MAX = 512 * 1024;

/**
 * Most pixels that are drawn. Browsers read JPEG and HEIC smaller than they are, which takes a quarter of the memory;
 * whatever else is in memory as a whole, with four bytes for each pixel.
 */
const DRAWN_PIXELS_MAX = { scaled: 250_000_000, whole: 60_000_000 };

const QUALITY = 0.9;

/** Why a picture isn't uploaded, as a sentence for people. */
export class PictureRefusal extends Error {}

/** Kinds that browsers can show, and that are refused all the same: what is drawn of them isn't what was meant. */
const NEVER_DRAWN: readonly PictureKind[] = ['gif', 'svg', 'pdf', 'empty'];

/**
 * Returns a picture as it is uploaded: at most as large as the server keeps it, upright, without what a camera notes
 * beside it; transparent where it was. Whatever the browser can read is taken, so HEIC in Safari. Where it can't, the
 * server decides.
 * @throws PictureRefusal with what to do
 */
export async function shrinkPicture(file: File, signal: AbortSignal): Promise<Blob> {
  const kind = await readKind(file);
  const refusal = writeMessage(KIND_REFUSALS[kind] ?? KIND_REFUSALS.unknown);
  if (NEVER_DRAWN.includes(kind)) throw new PictureRefusal(refusal);
  const isTaken = !(kind in KIND_REFUSALS);
  const url = URL.createObjectURL(file);
  try {
    const picture = await loadPicture(url, signal);
    if (!picture) {
      if (!isTaken) throw new PictureRefusal(refusal);
      return requireSendable(file, 0);
    }
    const pixels = picture.naturalWidth * picture.naturalHeight;
    if (isTaken && file.size <= UNTOUCHED_BYTES_MAX && pixels <= UPLOAD_PIXELS_MAX) return file;
    const isScaled = kind === 'jpeg' || kind === 'heic';
    const max = isScaled ? DRAWN_PIXELS_MAX.scaled : DRAWN_PIXELS_MAX.whole;
    const small = pixels > max ? null : await draw(picture, isScaled);
    if (small && (small.size < file.size || !isTaken || pixels > UPLOAD_PIXELS_MAX)) return small;
    if (!isTaken) throw new PictureRefusal(refusal);
    return requireSendable(file, pixels);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function readKind(file: File): Promise<PictureKind> {
  try {
    return kindOf(new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer()));
  } catch {
    throw new PictureRefusal(t("This file can't be read any more. Choose it again."));
  }
}

/** Returns a picture whose size is known, or undefined where the browser can't read it. Not yet decoded. */
function loadPicture(url: string, signal: AbortSignal): Promise<HTMLImageElement | undefined> {
  return new Promise((resolve, reject) => {
    // `createImageBitmap` takes four times the memory and twice as long: it decodes all pixels before it scales.
    const picture = new Image();
    picture.onload = () => resolve(picture.naturalWidth > 0 ? picture : undefined);
    picture.onerror = () => resolve(undefined);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    picture.src = url;
  });
}

/** Draws a picture as large as it is kept; null where the browser has no memory for it. */
async function draw(picture: HTMLImageElement, isOpaque: boolean): Promise<Blob | null> {
  const { naturalWidth, naturalHeight } = picture;
  const scale = Math.min(1, IMAGE_SIZES.large / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const encode = (type: string) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  const webp = await encode('image/webp');
  // A browser that writes no WebP, such as Safari, answers with PNG, which is large for a photo.
  return webp && webp.type !== 'image/webp' && isOpaque ? encode('image/jpeg') : webp;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Returns a file that the server may read. @throws PictureRefusal where it is above the limits */
function requireSendable(file: File, pixels: number): File {
  if (pixels > UPLOAD_PIXELS_MAX) {
    throw new PictureRefusal(
      t('This picture has too many pixels. Make it smaller first, to at most {max} megapixels.', {
        max: UPLOAD_PIXELS_MAX / 1_000_000,
      }),
    );
  }
  if (file.size > UPLOAD_BYTES_MAX) {
    throw new PictureRefusal(
      t("This browser can't make this picture smaller. Save it with at most {limit} MB first.", {
        limit: UPLOAD_BYTES_MAX / BYTES_PER_MEGABYTE,
      }),
    );
  }
  return file;
}
