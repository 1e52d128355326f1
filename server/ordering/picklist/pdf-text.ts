import path from 'node:path';
import PDFDocument from 'pdfkit';
import { create } from 'qrcode';

// Text and codes on paper. Fonts are made by `npm run print-fonts`: one file a script, so a text may need several.

const FOLDER = path.resolve('server/ordering/picklist/fonts');
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;
const ELLIPSIS = '…';
/** How much smaller than wished text may be set. */
const FONT_SCALE_MIN = 0.7;
/** What a text may be wider than its room, in points: it was set smaller to fit, and sums of widths are rounded. */
const ROUNDING_PT = 0.1;
/** The part of Inter's size that stands above the line it is written on. */
const ASCENT = 0.969;
/** Stands for a character that no font has. */
const UNKNOWN = '?';

/** The height of one line, and of the two of {@link writeTwoLines}, for a wished size of 1. */
const LINE_HEIGHT = 1.21;
export const TWO_LINES_HEIGHT = 2 * FONT_SCALE_MIN * LINE_HEIGHT;

type Weight = 'regular' | 'bold';
export type Document = InstanceType<typeof PDFDocument>;

/** What pdfkit and fontkit have, and their types lack. */
interface OpenFont {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** Opens a document of pages of this size, in points, without margins. `draw` fills it while it is sent. */
export function openDocument(
  { size, title, at }: { size: string | [number, number]; title: string; at: Date },
  draw: (doc: Document) => Promise<void>,
): Document {
  const info = { Title: title, CreationDate: at };
  const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false, info });
  for (const script of SCRIPTS) {
    for (const weight of ['regular', 'bold'] as const) {
      doc.registerFont(`${script}-${weight}`, path.join(FOLDER, `${script}-${weight}.ttf`));
    }
  }
  draw(doc).then(
    // A reader who has gone has destroyed it.
    () => doc.destroyed || doc.end(),
    (error: Error) => doc.destroy(error),
  );
  return doc;
}

interface TextRun {
  font: string;
  text: string;
}

/** Cuts a text where it needs another font. Line breaks and other control characters become spaces. */
function runsOf(doc: Document, text: string, weight: Weight): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text.normalize('NFC').replace(/\p{Cc}/gu, ' ')) {
    const codePoint = character.codePointAt(0) ?? 0;
    const script = SCRIPTS.find((name) => {
      const font = doc.font(`${name}-${weight}`) as unknown as OpenFont;
      return font._font.font.hasGlyphForCodePoint(codePoint);
    });
    const font = `${script ?? 'latin'}-${weight}`;
    const shown = script ? character : UNKNOWN;
    const last = runs.at(-1);
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown });
  }
  return runs;
}

/** How a line of text is set, in points. */
interface TextStyle {
  size: number;
  weight?: Weight;
  /** The text is set smaller to fit this width, and then cut with an ellipsis. */
  width?: number;
  align?: 'left' | 'right' | 'center';
  color?: string;
}

const widthOf = (doc: Document, runs: readonly TextRun[], size: number): number =>
  runs.reduce((sum, { font, text }) => sum + doc.font(font).fontSize(size).widthOfString(text), 0);

/** Writes one line of text, whose top is at `y`. @returns its width in points */
export function writeLine(
  doc: Document,
  text: string,
  { x, y }: { x: number; y: number },
  { size: preferred, weight = 'regular', width, align = 'left', color = '#000000' }: TextStyle,
): number {
  let runs = runsOf(doc, text, weight);
  let needed = widthOf(doc, runs, preferred);
  const size =
    width !== undefined && needed > width
      ? preferred * Math.max(FONT_SCALE_MIN, width / needed)
      : preferred;
  needed = widthOf(doc, runs, size);
  const room = (width ?? needed) + ROUNDING_PT;
  if (width !== undefined && needed > room) {
    const characters = [...text];
    // Nearly as many characters as fit, then one less until they do.
    let count = Math.min(characters.length - 1, Math.ceil((characters.length * width) / needed));
    for (; count >= 0 && needed > room; count--) {
      runs = runsOf(doc, `${characters.slice(0, count).join('').trimEnd()}${ELLIPSIS}`, weight);
      needed = widthOf(doc, runs, size);
    }
  }
  const free = (width ?? needed) - needed;
  let at = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0);
  // Text that is set smaller stands on the same line as what is beside it.
  const top = y + ASCENT * (preferred - size);
  doc.fillColor(color);
  for (const { font, text: part } of runs) {
    doc.font(font).fontSize(size).text(part, at, top, { lineBreak: false });
    at += doc.widthOfString(part);
  }
  return needed;
}

/**
 * Writes a text in one line if it fits even when it is set smaller, else in two lines of the smallest size, around
 * where the one would stand. Breaks between words; a rest that is too long is cut.
 */
export function writeTwoLines(
  doc: Document,
  text: string,
  { x, y }: { x: number; y: number },
  style: TextStyle & { width: number },
): void {
  const { size: preferred, weight = 'regular', width } = style;
  const size = preferred * FONT_SCALE_MIN;
  const fits = (part: string) => widthOf(doc, runsOf(doc, part, weight), size) <= width;
  const words = text.split(' ');
  let count = words.length;
  while (count > 1 && !fits(words.slice(0, count).join(' '))) count--;
  if (count === words.length || (count === 1 && !fits(words[0] ?? ''))) {
    writeLine(doc, text, { x, y }, style);
    return;
  }
  const [first, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
  const top = y - ((TWO_LINES_HEIGHT - LINE_HEIGHT) / 2) * preferred;
  writeLine(doc, first, { x, y: top }, { ...style, size });
  writeLine(doc, rest, { x, y: top + size * LINE_HEIGHT }, { ...style, size });
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
  doc: Document,
  { size, bars }: QrCode,
  { x, y, side }: { x: number; y: number; side: number },
): void {
  const module = side / size;
  for (const [column, row, width] of bars) {
    doc.rect(x + column * module, y + row * module, width * module, module);
  }
  doc.fill('#000000');
}

/** Lets other requests be answered between two pieces of a long document. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));
