import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Blob, Buffer, Direction, DrawFuncs, Face, Font, shape } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import { ofMarket } from '#contract/platform/market/constants';

// The fonts of PDFs and of pictures. Inter's files are made by `npm run print-fonts`, one for each script; Noto's are in packages, some
// of them in a hundred files. A file is read when the first text needs it.

export type Weight = 'regular' | 'bold';

const FOLDER = path.resolve('server/ordering/picklist/fonts');
const INTER = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;

/** The packages of other scripts. Those of Han characters come first to last where a text does not say its language. */
const HAN = {
  sc: '@fontsource-variable/noto-sans-sc',
  tc: '@fontsource-variable/noto-sans-tc',
  jp: '@fontsource-variable/noto-sans-jp',
  kr: '@fontsource-variable/noto-sans-kr',
};
const PACKAGES = [
  '@fontsource-variable/noto-naskh-arabic',
  '@fontsource-variable/noto-sans-hebrew',
  '@fontsource-variable/noto-sans-devanagari',
  '@fontsource-variable/noto-sans-bengali',
  '@fontsource-variable/noto-sans-gurmukhi',
  '@fontsource-variable/noto-sans-gujarati',
  '@fontsource-variable/noto-sans-tamil',
  '@fontsource-variable/noto-sans-telugu',
  '@fontsource-variable/noto-sans-kannada',
  '@fontsource-variable/noto-sans-malayalam',
  '@fontsource-variable/noto-sans-thai',
  ...Object.values(HAN),
];
const WGHT: Record<Weight, number> = { regular: 400, bold: 650 };

/** A glyph of a text, in thousandths of its size. */
export interface Glyph {
  id: number;
  /** What it stands for when text is copied. */
  codePoints: number[];
  /** Whether it stands above, below or in another one. */
  isMark: boolean;
  advanceWidth: number;
  xAdvance: number;
  yAdvance: number;
  xOffset: number;
  yOffset: number;
}

/** Glyphs from left to right. */
export interface Shaped {
  glyphs: Glyph[];
  advanceWidth: number;
}

/** A file of a font in one weight, that can be embedded. */
export interface PaperFont {
  name: string;
  file: Uint8Array;
  has: (codePoint: number) => boolean;
  /** Joins, stacks and orders the letters of a text of one direction. */
  shape: (text: string, isRightToLeft: boolean) => Shaped;
  /** Returns the path of a glyph, as in SVG but upwards, in thousandths of its size. */
  outline: (id: number) => string;
}

/** A path that is being drawn, and what its numbers are multiplied by. */
interface Outline {
  path: string[];
  scale: number;
}

const outlines = new DrawFuncs();
const drawing =
  (command: string, count: number) =>
  (...given: unknown[]) => {
    const { path, scale } = given[count] as Outline;
    path.push(command + given.slice(0, count).map((each) => Number(each) * scale));
  };
outlines.setMoveToFunc(drawing('M', 2));
outlines.setLineToFunc(drawing('L', 2));
outlines.setQuadraticToFunc(drawing('Q', 4));
outlines.setCubicToFunc(drawing('C', 6));
outlines.setClosePathFunc(drawing('Z', 0));

/** Shapes by HarfBuzz: fontkit, which pdfkit has, throws on marks of several Indic scripts. */
function openFont(name: string, file: Uint8Array): PaperFont {
  const font = new Font(new Face(new Blob(new Uint8Array(file).buffer)));
  const known = new Set(font.face.collectUnicodes());
  const scale = 1000 / font.face.upem;
  const kept = new LRUCache<string, Shaped>({ max: 2000 });
  const shapeText = (text: string, isRightToLeft: boolean): Shaped => {
    const buffer = new Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
    shape(font, buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const advances = positions.map(({ xAdvance }) => xAdvance);
    const meanings = meaningsOf(infos, advances, text);
    const glyphs = infos.map(({ codepoint: id }, index): Glyph => {
      const { xAdvance = 0, yAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const codePoints = meanings[index] ?? [];
      return {
        id,
        codePoints,
        isMark: xAdvance === 0 && codePoints[0] === WORD_JOINER,
        advanceWidth: font.glyphHAdvance(id) * scale,
        xAdvance: xAdvance * scale,
        yAdvance: yAdvance * scale,
        xOffset: xOffset * scale,
        yOffset: yOffset * scale,
      };
    });
    return { glyphs, advanceWidth: glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
  };
  return {
    name,
    file,
    has: (codePoint) => known.has(codePoint),
    shape: (text, isRightToLeft) => {
      const key = `${isRightToLeft ? '<' : '>'}${text}`;
      const shaped = kept.get(key) ?? shapeText(text, isRightToLeft);
      kept.set(key, shaped);
      return shaped;
    },
    outline: (id) => {
      const path: string[] = [];
      font.drawGlyph(id, outlines, { path, scale });
      return path.join('');
    },
  };
}

/** Stands for glyphs that are only a part of a letter: it shows nothing and parts nothing. */
const WORD_JOINER = 0x2060;

/** Returns what each glyph stands for: those with a width share the part of the text that they draw together. */
function meaningsOf(
  infos: readonly { cluster: number }[],
  advances: readonly number[],
  text: string,
): number[][] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  const meanings: number[][] = infos.map(() => [WORD_JOINER]);
  for (const [nth, start] of starts.entries()) {
    const all = infos.flatMap(({ cluster }, index) => (cluster === start ? [index] : []));
    const wide = all.filter((index) => (advances[index] ?? 0) > 0);
    const members = wide.length > 0 ? wide : all;
    const part = [...text.slice(start, starts[nth + 1])].map((each) => each.codePointAt(0) ?? 0);
    // The first stands for what is left by those behind it.
    const count = Math.max(1, part.length - members.length + 1);
    for (const [position, index] of members.entries()) {
      const own =
        position === 0 ? part.slice(0, count) : part.slice(count + position - 1).slice(0, 1);
      if (own.length > 0) meanings[index] = own;
    }
  }
  return meanings;
}

const require = createRequire(import.meta.url);
// It has no types of its own.
const subsetFont: (
  file: Uint8Array,
  text: string,
  options: { targetFormat: 'truetype'; variationAxes: { wght: number } },
) => Promise<Uint8Array> = require('subset-font');

/** A file of a package, and the characters it is for. */
interface FontFile {
  package: string;
  path: string;
  ranges: [from: number, to: number][];
}

let files: Promise<FontFile[]> | undefined;

/** Reads once which characters are in which file of the packages. */
const readFiles = (): Promise<FontFile[]> => {
  files ??= Promise.all(PACKAGES.map(readPackage)).then((all) => all.flat());
  return files;
};

async function readPackage(name: string): Promise<FontFile[]> {
  const ranges: Record<string, string> = JSON.parse(
    await readFile(require.resolve(`${name}/unicode.json`), 'utf8'),
  );
  const family = path.basename(name);
  return Object.entries(ranges).map(([part, list]) => ({
    package: name,
    // Parts of large fonts are numbered: '[12]'.
    path: `${name}/files/${family}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`,
    ranges: list.split(',').map((range): [number, number] => {
      const [from = '', to = from] = range.slice('U+'.length).split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    }),
  }));
}

/** Fonts that stay open: more than a day of one language needs. */
const OPEN_MAX = 100;
const open = new LRUCache<string, Promise<PaperFont>>({ max: OPEN_MAX });

function openOnce(name: string, read: () => Promise<Uint8Array>): Promise<PaperFont> {
  const known = open.get(name);
  if (known) return known;
  const opening = read().then((file) => openFont(name, file));
  open.set(name, opening);
  opening.catch(() => open.delete(name));
  return opening;
}

const openInter = (script: string, weight: Weight): Promise<PaperFont> =>
  openOnce(`${script}-${weight}`, () => readFile(path.join(FOLDER, `${script}-${weight}.ttf`)));

/** Opens a file of a package in one weight: PDFs take neither variable fonts nor WOFF2. */
const openPackaged = ({ path: file, ranges }: FontFile, weight: Weight): Promise<PaperFont> =>
  openOnce(`${file}-${weight}`, async () => {
    const all = ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
    );
    return subsetFont(await readFile(require.resolve(file)), ` ${all.join('')}`, {
      targetFormat: 'truetype',
      variationAxes: { wght: WGHT[weight] },
    });
  });

/** The forms of Han characters where a text does not say its language. */
const hanOfMarket = ofMarket(({ locale }): string => {
  const { language, region } = new Intl.Locale(locale).maximize();
  if (language === 'ja') return HAN.jp;
  if (language === 'ko') return HAN.kr;
  return region && ['TW', 'HK', 'MO'].includes(region) ? HAN.tc : HAN.sc;
});

/** Returns the package whose Han characters have the forms of a text's language: by its kana or hangul, if it has any. */
export function hanOf(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return HAN.jp;
  return /\p{Script=Hangul}/u.test(text) ? HAN.kr : hanOfMarket();
}

type OpenFont = () => Promise<PaperFont>;

/** Which font has some characters; null where none has. */
const sources = new LRUCache<string, { open: OpenFont | null }>({ max: 10_000 });

/** Returns the first font, in this weight, that has all of some characters; undefined where none has. */
export async function fontWith(
  characters: string,
  weight: Weight,
  han: string,
): Promise<PaperFont | undefined> {
  const key = `${weight} ${han} ${characters}`;
  const source = sources.get(key) ?? { open: await findFont(characters, weight, han) };
  sources.set(key, source);
  return source.open?.();
}

async function findFont(characters: string, weight: Weight, han: string): Promise<OpenFont | null> {
  const codePoints = [...characters].map((each) => each.codePointAt(0) ?? 0);
  const hasAll = async (open: OpenFont) => codePoints.every((await open()).has);
  for (const script of INTER) {
    const open = () => openInter(script, weight);
    if (await hasAll(open)) return open;
  }
  const candidates = (await readFiles())
    .filter(({ ranges }) =>
      codePoints.some((each) => ranges.some(([from, to]) => from <= each && each <= to)),
    )
    .sort((a, b) => Number(b.package === han) - Number(a.package === han));
  for (const file of candidates) {
    const open = () => openPackaged(file, weight);
    if (await hasAll(open)) return open;
  }
  return null;
}
