import sharp from 'sharp';
import { IMAGE_SIZES } from '#contract/uploads';
import { pictureNames, type Storage } from '../../server/uploads/storage.ts';
import { idOf } from './ids.ts';
import { type DrawingKey, drawCloser, drawingKeys, drawPicture } from './pictures/catalogue.ts';

/** A picture of the demo market. */
export interface DemoPicture {
  /** Its upload's id, made from the drawing: what is behind an address never changes. */
  id: string;
  key: DrawingKey;
  svg: string;
}

/** The drawings are 800 wide and 600 high, at the 72 dots per inch of an SVG. */
const DRAWN = { width: 800, height: 600, dpi: 72 };

/** What the larger files measure, in pixels. */
export const PICTURE_SIZE = {
  width: IMAGE_SIZES.large,
  height: (IMAGE_SIZES.large * DRAWN.height) / DRAWN.width,
};

/** Every picture there is; of one product the whole comes first, a closer look second. */
export const pictures: readonly DemoPicture[] = drawingKeys.flatMap((key) =>
  [drawPicture(key), drawCloser(key)].flatMap((svg) =>
    svg === undefined ? [] : [{ id: idOf('picture', svg), key, svg }],
  ),
);

/** The addresses of a product's pictures, the first of them the card's. */
export const addressesOf = (product: DrawingKey): string[] =>
  pictures
    .filter(({ key }) => key === product)
    .map(({ id }) => `/uploads/${pictureNames(id).large}`);

/** Renders those of the pictures whose files are not there. @returns how many it rendered */
export async function renderMissing(
  storage: Storage,
  wanted: readonly DemoPicture[],
): Promise<number> {
  // The small file is the last that is written.
  const files = await Promise.all(wanted.map(({ id }) => storage.read(pictureNames(id).small)));
  const missing = wanted.filter((_, index) => files[index] === undefined);
  await Promise.all(missing.map((picture) => render(storage, picture)));
  return missing.length;
}

async function render(storage: Storage, { id, svg }: DemoPicture): Promise<void> {
  const names = pictureNames(id);
  const density = (DRAWN.dpi * PICTURE_SIZE.width) / DRAWN.width;
  const { data, info } = await sharp(Buffer.from(svg), { density })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const drawn = sharp(data, { raw: info });
  // Flat tones need little effort; more only takes longer.
  const small = drawn.clone().resize(IMAGE_SIZES.small).webp({ quality: 84, effort: 2 });
  const large = drawn.webp({ quality: 84, effort: 1 });
  await storage.write(names.large, await large.toBuffer());
  await storage.write(names.small, await small.toBuffer());
}
