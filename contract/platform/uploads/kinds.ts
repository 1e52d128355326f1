import { type Message, msg } from '#contract/platform/text/constants/texts';

/** What a file is by its first bytes; its name and its declared type may say something else. */
export type PictureKind =
  | 'jpeg'
  | 'png'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'gif'
  | 'svg'
  | 'pdf'
  | 'empty'
  | 'unknown';

/** How many of a file's first bytes tell its kind; before a drawing may stand a comment. */
export const KIND_BYTES = 256;

const STARTS: readonly [PictureKind, RegExp][] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n/],
  ['webp', /^RIFF.{4}WEBP/s],
  // Boxes of ISO base media: what stands among the compatible brands decides.
  ['avif', /^.{4}ftyp.{0,28}avi[fs]/s],
  ['heic', /^.{4}ftyp.{0,28}(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/s],
  ['gif', /^GIF8/],
  ['svg', /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype\s+svg|!--|svg)/i],
  ['pdf', /^%PDF-/],
  ['empty', /^$/],
];

/** Returns the kind of a file that begins with these bytes. */
export function kindOf(start: Uint8Array): PictureKind {
  const text = String.fromCharCode(...start.subarray(0, KIND_BYTES));
  return STARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'unknown';
}

/** Why the server takes no file of a kind, and what to do; the kinds that it takes are not in it. */
export const KIND_REFUSALS: Partial<Record<PictureKind, Message>> & Record<'unknown', Message> = {
  heic: msg(
    "HEIC pictures can't be read here. Share or save it as JPEG. So that an iPhone takes JPEG pictures, choose Settings, Camera, Formats, Most Compatible.",
  ),
  gif: msg(
    'GIF pictures move, and pictures here stand still. Save one of its pictures as JPEG or PNG.',
  ),
  svg: msg('This is a drawing (SVG). Save it as PNG, then upload that.'),
  pdf: msg('This is a document (PDF). Upload a screenshot of its page.'),
  empty: msg(
    'This file is empty. If the picture is kept in the cloud, open it on this device, then choose it again.',
  ),
  unknown: msg('Upload JPEG, PNG, WebP or AVIF pictures.'),
};
