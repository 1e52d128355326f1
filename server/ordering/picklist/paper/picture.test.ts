import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { followReaders } from '../../../platform/market/readers.ts';
import { withLanguageTag } from '../../../platform/process/request-context.ts';
import { openDocument, writeText } from './document.ts';
import { fontWith, hanOf } from './fonts.ts';

// What stands on paper, as a picture, beside the one that Pango makes of the same text with the same fonts.

followReaders();

const pdfium = await PDFiumLibrary.init();
afterAll(() => pdfium.destroy());
const SIZE_PT = 40;
const SCALE = 2;
/** How alike two pictures are that differ by the smoothing of edges alone. */
const ALIKE_MIN = 0.9;

/** The ink of a picture, from its first to its last dark column and row. */
interface Ink {
  width: number;
  height: number;
  data: Buffer;
}

async function inkOf(picture: Buffer): Promise<Ink> {
  const flat = await sharp(picture).flatten({ background: '#ffffff' }).greyscale().png().toBuffer();
  const { data, info } = await sharp(flat)
    .trim({ background: '#ffffff', threshold: 40 })
    .negate()
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function paperInk(text: string, language: string): Promise<Ink> {
  const doc = await withLanguageTag(language, async () =>
    openDocument({ size: [900, 120], title: text, at: new Date() }, async (paper) => {
      paper.doc.addPage();
      await writeText(paper, text, { x: 20, y: 20 }, { size: SIZE_PT, width: 860 });
    }),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk);
  const pdf = await pdfium.loadDocument(Buffer.concat(chunks));
  const page = pdf.getPage(0);
  const { data: picture } = await page.render({
    scale: SCALE,
    render: ({ data, width, height }) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
  });
  pdf.destroy();
  return inkOf(Buffer.from(picture));
}

const INTER = path.resolve('server/ordering/picklist/fonts/latin-regular.ttf');

/** Writes the font of a text's first letter to where Pango may read it. */
async function fontFile(text: string): Promise<string> {
  const [letter = ''] = text.match(/(?!\p{Script=Latin})\p{L}/u) ?? [];
  const font = await fontWith(letter, 'regular', hanOf(text));
  if (!font) throw new Error(`No font has ${letter}.`);
  const file = path.join(tmpdir(), `paper-picture-${path.basename(font.name)}.ttf`);
  await writeFile(file, font.file);
  return file;
}

async function pangoInk(text: string, family: string, file: string): Promise<Ink> {
  // What it knows once it knows for all that follows.
  await sharp({ text: { text: 'a', font: 'Inter', fontfile: INTER, dpi: 72 } }).metadata();
  const picture = await sharp({
    text: {
      text: `<span foreground="#000000">${text}</span>`,
      font: `${family}, Inter ${SIZE_PT * SCALE}px`,
      fontfile: file,
      rgba: true,
      dpi: 72,
    },
  })
    .png()
    .toBuffer();
  return inkOf(picture);
}

/** Returns the correlation of two pictures, 1 for the same. */
async function likeness(one: Ink, other: Ink): Promise<number> {
  const [width, height] = [500, 50];
  const sized = ({ data, ...size }: Ink) =>
    sharp(data, { raw: { ...size, channels: 1 } })
      .resize(width, height, { fit: 'fill' })
      .blur(1.5)
      .raw()
      .toBuffer();
  const [a, b] = await Promise.all([sized(one), sized(other)]);
  const mean = (values: Buffer) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squareA, squareB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const [x, y] = [value - meanA, (b[index] ?? 0) - meanB];
    both += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return both / Math.sqrt(squareA * squareB);
}

test.each([
  ['Urdu', 'Noto Naskh Arabic', 'محمد آصف علی'],
  ['Urdu with digits', 'Noto Naskh Arabic', 'گاجر 25 روپے'],
  ['Urdu in English', 'Noto Naskh Arabic', '2 kg گاجر, 4 bunches پالک'],
  [
    'Urdu on a page from right to left',
    'Noto Naskh Arabic',
    'پرنٹ 2، \u2068#1f2e3d4c\u2069 · 3 گاجر، \u20684 kg\u2069',
    'ur',
  ],
  ['Hindi', 'Noto Sans Devanagari', 'राजेश श्रीवास्तव'],
  ['Bengali', 'Noto Sans Bengali', 'শ্রী রবীন্দ্রনাথ'],
  ['Punjabi', 'Noto Sans Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
  ['Thai', 'Noto Sans Thai', 'น้ำปลา กิ่งแก้ว'],
])('a line of %s looks as Pango draws it', async (_, family, text, language = 'en') => {
  const file = await fontFile(text);
  const own = await paperInk(text, language);
  const its = await pangoInk(text, family, file);
  expect(Math.abs(own.width / its.width - 1)).toBeLessThan(0.03);
  expect(await likeness(own, its)).toBeGreaterThan(ALIKE_MIN);
  // The same letters in another order are not alike.
  const reversed = await pangoInk([...text].reverse().join(''), family, file);
  expect(await likeness(own, reversed)).toBeLessThan(ALIKE_MIN - 0.2);
});
