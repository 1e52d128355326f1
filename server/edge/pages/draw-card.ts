import type { OverlayOptions } from 'sharp';
import sharp from 'sharp';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import {
  ASCENT,
  fitText,
  LINE_HEIGHT,
  type TextBlock,
  type TextStyle,
} from '../../ordering/picklist/paper/document.ts';
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

const TEXT_START = CARD_HEIGHT + 60;
const TEXT_WIDTH = CARD_WIDTH - TEXT_START - 50;
/** The title shrinks from the first size on until it fits, in pixels. */
const TITLE_SIZES = [68, 56, 46, 38];
const TITLE_HEIGHT_MAX = 260;
/** How far behind the sign the name of the market stands. */
const NAME_INDENT = 60;

/** The sign of the market, as in `web/platform/ui/art/Drawing.tsx`. */
const LOGO = (size: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#2c6b39"/><path d="M32 55V30" fill="none" stroke="#fffdf7" stroke-width="5" stroke-linecap="round"/><path d="M32 38C18 39 11 30 11 18c13 0 21 7 21 20z" fill="#a9dea9"/><path d="M32 31c0-13 8-21 22-21 0 14-8 21-22 21z" fill="#e5b23c"/></svg>`,
  );

/** Returns the outlines of a text as SVG: no program that reads it needs our fonts, or finds mark-up in it. */
function outlinesOf(block: TextBlock, x: number, top: number): string {
  const { lines, size, style } = block;
  const scale = size / 1000;
  const { left, isFromRight } = placeOf(x, style.width);
  const paths = lines.flatMap((line, nth) => {
    const start = left + (isFromRight ? style.width - line.width * size : 0);
    const baseline = top + (nth * LINE_HEIGHT + ASCENT) * size;
    return line.runs.flatMap(({ font, text, level, x: from }) => {
      let [at, up] = [0, 0];
      return font.shape(text, level % 2 === 1).glyphs.map((glyph) => {
        const right = start + from * size + (at + glyph.xOffset) * scale;
        const down = baseline - (up + glyph.yOffset) * scale;
        at += glyph.xAdvance;
        up += glyph.yAdvance;
        return `<path transform="matrix(${scale} 0 0 ${-scale} ${right} ${down})" d="${font.outline(glyph.id)}"/>`;
      });
    });
  });
  return `<g fill="${style.color}">${paths.join('')}</g>`;
}

/** Returns where something stands that is so far from where readers begin: from the left, or from the right. */
function placeOf(x: number, width: number): { left: number; isFromRight: boolean } {
  const isFromRight = directionOf(theReader().language) === 'rtl';
  return { left: isFromRight ? CARD_WIDTH - x - width : x, isFromRight };
}

const setText = (text: string, style: Omit<TextStyle, 'width'>, width = TEXT_WIDTH) =>
  fitText({ direction: directionOf(theReader().language) }, text, { ...style, width });

/** Sets the title in the largest size that fits, or as much of it as fits in the smallest. */
async function fitTitle(title: string): Promise<TextBlock> {
  const style = { color: INK, weight: 'bold', scaleMin: 1 } as const;
  for (const size of TITLE_SIZES) {
    const block = await setText(title, { ...style, size, lines: Number.POSITIVE_INFINITY });
    if (block.height <= TITLE_HEIGHT_MAX) return block;
  }
  const size = Math.min(...TITLE_SIZES);
  return setText(title, {
    ...style,
    size,
    lines: Math.floor(TITLE_HEIGHT_MAX / size / LINE_HEIGHT),
  });
}

/**
 * Draws a card as JPEG, which every service that shows cards takes. It is read as the present reader reads: from right
 * to left it is mirrored.
 */
export async function drawCard({ picture, title, detail, from }: Card): Promise<Buffer> {
  const [heading, line, farm, name] = await Promise.all([
    fitTitle(title),
    setText(detail, { size: 44, color: LEAF, weight: 'bold', lines: 2, scaleMin: 0.9 }),
    setText(from, { size: 32, color: INK_SOFT, lines: 2, scaleMin: 0.9 }),
    setText(siteOf().name, { size: 30, color: INK, weight: 'bold' }, TEXT_WIDTH - NAME_INDENT),
  ]);
  const gaps = { afterTitle: 20, afterLine: 10 };
  const height = heading.height + gaps.afterTitle + line.height + gaps.afterLine + farm.height;
  const top = Math.max(130, Math.round((CARD_HEIGHT - height) / 2) + 30);
  const lineTop = top + heading.height + gaps.afterTitle;
  const texts = [
    outlinesOf(name, TEXT_START + NAME_INDENT, 56 + (44 - name.height) / 2),
    outlinesOf(heading, TEXT_START, top),
    outlinesOf(line, TEXT_START, lineTop),
    outlinesOf(farm, TEXT_START, lineTop + line.height + gaps.afterLine),
  ];
  const logoAt = (CARD_HEIGHT - 300) / 2;
  const layers: OverlayOptions[] = [
    picture
      ? { input: await squareOf(picture), left: placeOf(0, CARD_HEIGHT).left, top: 0 }
      : { input: LOGO(300), left: placeOf(logoAt, 300).left, top: logoAt },
    { input: LOGO(44), left: placeOf(TEXT_START, 44).left, top: 56 },
    {
      input: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">${texts.join('')}</svg>`,
      ),
      left: 0,
      top: 0,
    },
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
    left: placeOf(0, CARD_HEIGHT).left,
    top: 0,
  };
  return ground
    .composite([field, ...layers])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

const squareOf = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(CARD_HEIGHT, CARD_HEIGHT, { fit: 'cover' }).png().toBuffer();
