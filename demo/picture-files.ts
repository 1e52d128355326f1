import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { IMAGE_SIZES } from '#contract/platform/uploads/constants';
import { pictureNames as fileNames, type Storage } from '../server/platform/uploads/storage.ts';
import { idOf } from './data/farms.ts';
import { closerOf, type PictureName, pictureNames } from './data/pictures.ts';

/** A picture of the demo market. */
export interface DemoPicture {
  /** The upload's id, derived from the drawing, so that a URL's content never changes. */
  id: string;
  product: PictureName;
  svg: string;
}

const PICTURES_FOLDER = path.resolve('demo/pictures');
/** The size of the drawings, at the 72 dots per inch of an SVG. */
const DRAWING_SIZE = { width: 800, height: 600, dpi: 72 };
const FULL_VIEW_BOX = `viewBox="0 0 ${DRAWING_SIZE.width} ${DRAWING_SIZE.height}"`;

/** The size of the larger files, in pixels. */
export const PICTURE_SIZE = {
  width: IMAGE_SIZES.large,
  height: (IMAGE_SIZES.large * DRAWING_SIZE.height) / DRAWING_SIZE.width,
};

/** Returns the drawings of a product: the whole one, then a close-up if there is one. */
function drawingsOf(product: PictureName): string[] {
  const whole = readFileSync(path.join(PICTURES_FOLDER, `${product}.svg`), 'utf8');
  const closer = closerOf(product);
  if (!closer) return [whole];
  const [width, height] = [DRAWING_SIZE.width / closer.times, DRAWING_SIZE.height / closer.times];
  const part = `viewBox="${closer.x - width / 2} ${closer.y - height / 2} ${width} ${height}"`;
  return [whole, whole.replace(FULL_VIEW_BOX, part)];
}

/** All demo pictures. */
export const pictures: readonly DemoPicture[] = pictureNames.flatMap((product) =>
  drawingsOf(product).map((svg) => ({ id: idOf('picture', svg), product, svg })),
);

/** Returns the URLs of a product's pictures; the first is shown on the card. */
export const addressesOf = (product: PictureName): string[] =>
  pictures
    .filter((picture) => picture.product === product)
    .map(({ id }) => `/uploads/${fileNames(id).large}`);

/** Renders the pictures whose files are missing. @returns their number */
export async function renderMissing(
  storage: Storage,
  wanted: readonly DemoPicture[],
): Promise<number> {
  // The small file is written last, so it marks a complete picture.
  const files = await Promise.all(wanted.map(({ id }) => storage.read(fileNames(id).small)));
  const missing = wanted.filter((_, index) => files[index] === undefined);
  await Promise.all(missing.map((picture) => render(storage, picture)));
  return missing.length;
}

async function render(storage: Storage, { id, svg }: DemoPicture): Promise<void> {
  const names = fileNames(id);
  const density = (DRAWING_SIZE.dpi * PICTURE_SIZE.width) / DRAWING_SIZE.width;
  const { data, info } = await sharp(Buffer.from(svg), { density })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const drawn = sharp(data, { raw: info });
  // Flat colours compress well with little effort.
  const small = drawn.clone().resize(IMAGE_SIZES.small).webp({ quality: 84, effort: 2 });
  const large = drawn.webp({ quality: 84, effort: 1 });
  await storage.write(names.large, await large.toBuffer());
  await storage.write(names.small, await small.toBuffer());
}
