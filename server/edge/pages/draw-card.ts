import path from 'node:path';
import escapeHtml from 'escape-html';
import type { OverlayOptions } from 'sharp';
import sharp from 'sharp';
import { siteOf } from './head.ts';

/** What a card shows beside its picture. */
export interface Card {
  /** Undefined where there is none; the card shows the sign of the market instead. */
  picture: Buffer | undefined;
  title: string;
  /** The price, or where a farm is. */
  detail: string;
  /** Whose product it is, or what the market is. */
  from: string;
}

const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

const PAPER = '#faf6ec';
const INK = '#1a2b20';
const INK_SOFT = '#46544a';
const LEAF = '#2c6b39';
const LEAF_SOFT = '#e2eeda';

const TEXT_LEFT = CARD_HEIGHT + 60;
const TEXT_WIDTH = CARD_WIDTH - TEXT_LEFT - 50;
/** The title shrinks from the first size on until it fits, in pixels. */
const TITLE_SIZES = [68, 56, 46, 38];
const TITLE_HEIGHT_MAX = 260;
/** What fits on two lines, in characters. */
const DETAIL_MAX = 36;
const FROM_MAX = 56;

// The fonts of PDFs: they are ours, so a card looks the same on every machine.
const FONTS = path.resolve('server/ordering/picklist/fonts');
const SCRIPTS = ['latin-ext', 'cyrillic', 'greek', 'vietnamese', 'latin'];
const WEIGHTS = ['regular', 'bold'];

/** The sign of the market, as in `web/platform/ui/art/Drawing.tsx`. */
const LOGO = (size: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#2c6b39"/><path d="M32 55V30" fill="none" stroke="#fffdf7" stroke-width="5" stroke-linecap="round"/><path d="M32 38C18 39 11 30 11 18c13 0 21 7 21 20z" fill="#a9dea9"/><path d="M32 31c0-13 8-21 22-21 0 14-8 21-22 21z" fill="#e5b23c"/></svg>`,
  );

const NOTHING = () =>
  sharp({
    create: { width: 1, height: 1, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();

let fonts: Promise<void> | undefined;

/** Makes the fonts known once; each text then takes what it needs of them. */
function loadFonts(): Promise<void> {
  fonts ??= (async () => {
    for (const script of SCRIPTS) {
      for (const weight of WEIGHTS) {
        const fontfile = path.join(FONTS, `${script}-${weight}.ttf`);
        await sharp({ text: { text: 'a', font: 'Inter', fontfile, dpi: 72 } }).metadata();
      }
    }
  })();
  return fonts;
}

interface TextStyle {
  size: number;
  color: string;
  weight?: 'bold' | 'normal';
}

/** Draws a text of as many lines as it takes. */
async function drawText(
  text: string,
  { size, color, weight = 'normal' }: TextStyle,
): Promise<{ data: Buffer; height: number }> {
  const shown = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  // There is nothing to draw of what only spaces are left of.
  if (shown === '') return { data: await NOTHING(), height: 0 };
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}" weight="${weight}">${escapeHtml(shown)}</span>`,
      font: `Inter ${size}px`,
      fontfile: path.join(FONTS, 'latin-bold.ttf'),
      rgba: true,
      width: TEXT_WIDTH,
      wrap: 'word-char',
      dpi: 72,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { data, height: info.height };
}

/** Cuts a text that is too long. */
function cut(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Draws the title in the largest size that fits, or as much of it as fits in the smallest. */
async function drawTitle(title: string): Promise<{ data: Buffer; height: number }> {
  for (const size of TITLE_SIZES) {
    const drawn = await drawText(title, { size, color: INK, weight: 'bold' });
    if (drawn.height <= TITLE_HEIGHT_MAX) return drawn;
    if (size !== TITLE_SIZES.at(-1)) continue;
    const { width = TEXT_WIDTH } = await sharp(drawn.data).metadata();
    const data = await sharp(drawn.data)
      .extract({ left: 0, top: 0, width, height: TITLE_HEIGHT_MAX })
      .png()
      .toBuffer();
    return { data, height: TITLE_HEIGHT_MAX };
  }
  throw new Error('There are no sizes of titles.');
}

/** Draws a card as JPEG, which every service that shows cards takes. */
export async function drawCard({ picture, title, detail, from }: Card): Promise<Buffer> {
  await loadFonts();
  const side = picture
    ? { input: await squareOf(picture), left: 0, top: 0 }
    : { input: LOGO(300), left: (CARD_HEIGHT - 300) / 2, top: (CARD_HEIGHT - 300) / 2 };
  const [heading, line, farm, name] = await Promise.all([
    drawTitle(title),
    drawText(cut(detail, DETAIL_MAX), { size: 44, color: LEAF, weight: 'bold' }),
    drawText(cut(from, FROM_MAX), { size: 32, color: INK_SOFT }),
    drawText(siteOf().name, { size: 30, color: INK, weight: 'bold' }),
  ]);
  const gaps = { afterTitle: 36, afterLine: 24 };
  const height = heading.height + gaps.afterTitle + line.height + gaps.afterLine + farm.height;
  const top = Math.max(130, Math.round((CARD_HEIGHT - height) / 2) + 30);
  const lineTop = top + heading.height + gaps.afterTitle;
  const layers: OverlayOptions[] = [
    side,
    { input: LOGO(44), left: TEXT_LEFT, top: 56 },
    { input: name.data, left: TEXT_LEFT + 60, top: 56 + Math.round((44 - name.height) / 2) },
    { input: heading.data, left: TEXT_LEFT, top },
    { input: line.data, left: TEXT_LEFT, top: lineTop },
    { input: farm.data, left: TEXT_LEFT, top: lineTop + line.height + gaps.afterLine },
  ];
  const ground = sharp({
    create: { width: CARD_WIDTH, height: CARD_HEIGHT, channels: 3, background: PAPER },
  });
  const field = {
    input: {
      create: {
        width: CARD_HEIGHT,
        height: CARD_HEIGHT,
        channels: 3 as const,
        background: LEAF_SOFT,
      },
    },
    left: 0,
    top: 0,
  };
  return ground
    .composite([field, ...layers])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

const squareOf = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(CARD_HEIGHT, CARD_HEIGHT, { fit: 'cover' }).png().toBuffer();
