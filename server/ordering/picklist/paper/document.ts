import PDFDocument from 'pdfkit';
import { create } from 'qrcode';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { withLanguageTag } from '../../../platform/process/request-context.ts';
import type { Glyph, PaperFont, Weight } from './fonts.ts';
import { charactersOf, cut, type Line, layOut, wrap } from './text.ts';

// Pages and what stands on them. All positions are given for readers from left to right, and mirrored for others.

/** How much smaller than wished text may be set. */
const SCALE_MIN = 0.7;
/** What a text may be wider than its room, in points: it was set smaller to fit, and sums of widths are rounded. */
const ROUNDING_PT = 0.1;
/** The part of a size that stands above the line that is written on: that of Inter. */
export const ASCENT = 0.969;
/** From one line to the next, for a size of 1; the same in all scripts, so that what stands beside each other matches. */
export const LINE_HEIGHT = 1.21;

export type Document = InstanceType<typeof PDFDocument>;

/** A document that is being drawn. */
export interface Paper {
  doc: Document;
  /** How its readers read. */
  direction: 'ltr' | 'rtl';
}

interface PaperOptions {
  /** In points, or by name. */
  size: string | [number, number];
  title: string;
  at: Date;
}

/**
 * Opens a document of pages without margins, in the language and direction of the present reader. `draw` fills it while
 * it is sent.
 */
export function openDocument(
  { size, title, at }: PaperOptions,
  draw: (paper: Paper) => Promise<void>,
): Document {
  const { language } = theReader();
  const info = { Title: title, CreationDate: at };
  // No font of its own: the first text brings one.
  const doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    info,
    font: '',
    lang: language,
  });
  // Goes on after the request, in its language.
  withLanguageTag(language, () => draw({ doc, direction: directionOf(language) })).then(
    // A reader who has gone has destroyed it.
    () => doc.destroyed || doc.end(),
    (error: Error) => doc.destroy(error),
  );
  return doc;
}

/** What pdfkit's embedded fonts have, and its types lack. */
interface EmbeddedFont {
  layout: (text: string, features?: readonly string[]) => { advanceWidth: number };
  /** Returns the codes of glyphs in hexadecimal digits, and where they stand. */
  encode: (text: string, features?: readonly string[]) => [codes: string[], positions: Glyph[]];
  /** The glyphs of the embedded font, what they stand for, and how wide they are. */
  subset: { glyphs: number[] };
  unicode: number[][];
  widths: number[];
}

// Features by which a text is drawn in one direction, and in two parts: letters without the marks that stand in them are
// one text for whoever searches or copies it.
const RIGHT_TO_LEFT = 'rtla' as const;
const MARKS = 'mark' as const;

/** Takes a font into a document, shaped by ours instead of pdfkit's means. */
function selectFont({ doc }: Paper, font: PaperFont): void {
  const isKnown = registered.get(doc)?.has(font) ?? false;
  if (!isKnown) {
    doc.registerFont(font.name, font.file as unknown as ArrayBuffer);
    registered.set(doc, (registered.get(doc) ?? new Set()).add(font));
  }
  doc.font(font.name);
  if (isKnown) return;
  const embedded = (doc as unknown as { _font: EmbeddedFont })._font;
  const codes = new Map<string, string>();
  // A glyph that stands for several texts has a code for each.
  const codeOf = ({ id, codePoints, advanceWidth }: Glyph): string => {
    const key = `${id} ${codePoints}`;
    const known = codes.get(key);
    if (known) return known;
    const code = embedded.subset.glyphs.push(id) - 1;
    embedded.unicode[code] = codePoints;
    embedded.widths[code] = advanceWidth;
    const digits = code.toString(16).padStart(4, '0');
    codes.set(key, digits);
    return digits;
  };
  const shapeText = (text: string, features: readonly string[] = []) =>
    font.shape(text, features.includes(RIGHT_TO_LEFT));
  embedded.layout = shapeText;
  embedded.encode = (text, features) => {
    const { glyphs } = shapeText(text, features);
    const drawn = features?.includes(MARKS) ? marksOf(glyphs) : glyphs.filter(isLetter);
    return [drawn.map(codeOf), drawn];
  };
}

const isLetter = ({ isMark }: Glyph): boolean => !isMark;

/** Returns the marks of a text, each at its distance from the beginning. */
function marksOf(glyphs: readonly Glyph[]): Glyph[] {
  let at = 0;
  return glyphs.flatMap((glyph) => {
    const xOffset = at + glyph.xOffset;
    at += glyph.xAdvance;
    return glyph.isMark ? [{ ...glyph, xOffset }] : [];
  });
}

const registered = new WeakMap<Document, Set<PaperFont>>();

/** How a text is set, in points. */
export interface TextStyle {
  size: number;
  weight?: Weight;
  /** The text is set smaller to fit this width, then broken into lines, then cut with an ellipsis. */
  width: number;
  /** Lines that it may take; one unless said. */
  lines?: number;
  /** How much smaller it may be set, as a part of its size. */
  scaleMin?: number;
  /** What is written where nothing of the text can be drawn. */
  instead?: string | undefined;
  align?: 'start' | 'end';
  color?: string;
}

/** A text that was fitted into its room. */
export interface TextBlock {
  lines: readonly Line[];
  size: number;
  style: TextStyle;
  /** Of all its lines, in points. */
  height: number;
}

/** Fits a text into its room. Empty where nothing of it can be drawn. */
export async function fitText(
  { direction }: Pick<Paper, 'direction'>,
  text: string,
  style: TextStyle,
): Promise<TextBlock> {
  const { size: wished, weight = 'regular', lines = 1, scaleMin = SCALE_MIN } = style;
  const width = style.width + ROUNDING_PT;
  const characters = await charactersOf(text, weight, direction);
  const line = layOut(characters);
  const block = (size: number, all: readonly Line[]): TextBlock => ({
    lines: all,
    size,
    style,
    height: all.length * size * LINE_HEIGHT,
  });
  if (line.runs.length === 0) {
    const { instead, ...rest } = style;
    return instead === undefined ? block(wished, []) : fitText({ direction }, instead, rest);
  }
  const needed = line.width * wished;
  if (needed <= width) return block(wished, [line]);
  const size = wished * Math.max(scaleMin, style.width / needed);
  if (line.width * size <= width) return block(size, [line]);
  const broken =
    lines === 1
      ? [await cut(characters, width / size, weight)]
      : await wrap(characters, width / size, lines, weight);
  return block(size, broken.map(layOut));
}

/** Draws a text that was fitted, the top of its first line at `y`. */
export function drawText(
  paper: Paper,
  { lines, size, style: { width, align = 'start', color = '#000000' } }: TextBlock,
  { x, y }: { x: number; y: number },
): void {
  const { doc } = paper;
  const left = leftOf(paper, x, width);
  const isRight = (align === 'end') !== (paper.direction === 'rtl');
  doc.fillColor(color);
  for (const [nth, line] of lines.entries()) {
    const from = left + (isRight ? width - line.width * size : 0);
    const baseline = y + (nth * LINE_HEIGHT + ASCENT) * size;
    for (const run of line.runs) {
      selectFont(paper, run.font);
      const isRightToLeft = run.level % 2 === 1;
      const features = isRightToLeft ? [RIGHT_TO_LEFT] : [];
      const options = { lineBreak: false, baseline: 'alphabetic' as const };
      const x = from + run.x * size;
      doc.fontSize(size).text(run.text, x, baseline, { ...options, features });
      if (run.font.shape(run.text, isRightToLeft).glyphs.every(isLetter)) continue;
      doc.text(run.text, x, baseline, { ...options, features: [...features, MARKS] });
    }
  }
}

/** Fits and draws a text of one line; one that is set smaller stands on the same line as what is beside it. */
export async function writeText(
  paper: Paper,
  text: string,
  { x, y }: { x: number; y: number },
  style: TextStyle,
): Promise<TextBlock> {
  const block = await fitText(paper, text, style);
  const isOne = block.lines.length === 1;
  drawText(paper, block, { x, y: y + (isOne ? ASCENT * (style.size - block.size) : 0) });
  return block;
}

/** Returns where something of a width begins on the page as it is read. */
const leftOf = ({ doc, direction }: Paper, x: number, width: number): number =>
  direction === 'rtl' ? doc.page.width - x - width : x;

/** Draws a square to be ticked. */
export function drawBox(
  paper: Paper,
  { x, y, side }: { x: number; y: number; side: number },
): void {
  paper.doc.lineWidth(0.5).strokeColor('#000000');
  paper.doc.rect(leftOf(paper, x, side), y, side, side).stroke();
}

/** Draws a line across. */
export function drawRule(
  paper: Paper,
  { x, y, width, color = '#BBBBBB' }: { x: number; y: number; width: number; color?: string },
): void {
  const left = leftOf(paper, x, width);
  paper.doc.lineWidth(0.5).strokeColor(color);
  paper.doc
    .moveTo(left, y)
    .lineTo(left + width, y)
    .stroke();
}

/** A code as the areas of its dark modules. */
export interface QrCode {
  /** Modules along one side. */
  size: number;
  /** Dark modules in a row: column, row, how many. */
  bars: readonly [x: number, y: number, width: number][];
}

/** Returns the code of an address. */
export function qrCodeOf(address: string): QrCode {
  const { data, size } = create(address, { errorCorrectionLevel: 'M' }).modules;
  const bars: [number, number, number][] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      const from = x;
      while (x < size && data[y * size + x]) x++;
      bars.push([from, y, x - from]);
    }
  }
  return { size, bars };
}

/** Draws a code as a square, `side` in points. Paper around it is the quiet zone. */
export function drawQr(
  paper: Paper,
  { size, bars }: QrCode,
  { x, y, side }: { x: number; y: number; side: number },
): void {
  const module = side / size;
  const left = leftOf(paper, x, side);
  for (const [column, row, width] of bars) {
    paper.doc.rect(left + column * module, y + row * module, width * module, module);
  }
  paper.doc.fill('#000000');
}

/** Lets other requests be answered between two pieces of a long document. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));
