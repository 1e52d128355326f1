import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { followReaders } from '../../../platform/market/readers.ts';
import { withLanguageTag } from '../../../platform/process/request-context.ts';
import { fitText, openDocument, type Paper, writeText } from './document.ts';
import { charactersOf, type Line, layOut } from './text.ts';

// Names and goods in any script: what is drawn, in which order, and where it breaks.

followReaders();

const FROM_LEFT = { direction: 'ltr' } as const;
/** Sets a name apart. */
const isolate = (name: string): string => `\u2068${name}\u2069`;

/** What is drawn of a text. */
const drawnOf = async (text: string): Promise<string> =>
  (await charactersOf(text, 'regular')).map((each) => each.text).join('');

/** The texts of a line from left to right. */
const fromLeft = ({ runs }: Line): string[] =>
  [...runs].sort((a, b) => a.x - b.x).map(({ text }) => text.trim());

const fitted = async (text: string, width: number, lines = 3) =>
  (await fitText(FROM_LEFT, text, { size: 10, width, lines, scaleMin: 1 })).lines.map(({ runs }) =>
    runs.map((run) => run.text).join(''),
  );

describe('what is drawn of a name', () => {
  test.each([
    'Ann Łąkowska',
    'محمد آصف',
    'דוד כהן',
    'شُکْرِیَہ',
    '王伟',
    '陳紼雲',
    '佐藤 花子',
    '김철수',
    'राजेश श्रीवास्तव',
    'রবীন্দ্রনাথ',
    'ਗੁਰਪ੍ਰੀਤ',
    'પટેલ',
    'தமிழ்ச்செல்வி',
    'శ్రీనివాస',
    'ಕೃಷ್ಣಮೂರ್ತಿ',
    'ശ്രീധരൻ',
    'สมชาย น้ำทอง',
    'Παπαδόπουλος',
    'Дмитрий',
    'Ngô Thị Phương',
  ])('is all of it: %s', async (name) => {
    expect(await drawnOf(name)).toBe(name.normalize('NFC'));
    const { runs } = layOut(await charactersOf(name, 'bold'));
    // Glyph 0 is the box that stands for a missing one.
    const ids = runs.flatMap(({ font, text, level }) =>
      font.shape(text, level % 2 === 1).glyphs.map(({ id }) => id),
    );
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).not.toContain(0);
  });

  test.each([
    ['an emoji', 'Fatima 🌻 Bibi ❤️', 'Fatima Bibi'],
    ['a family, a flag and a skin tone', '👨‍👩‍👧 Lee 🇵🇰👍🏽', 'Lee'],
    ['nothing else', '🥕🌽', ''],
    ['a character of no font', 'Ann 𐎀𐎁 Lee\u{F0000}', 'Ann Lee'],
    ['line breaks', 'Ann\n\u2028Lee', 'Ann Lee'],
  ])('leaves out %s', async (_, text, drawn) => {
    expect(await drawnOf(text)).toBe(drawn);
  });

  test.each([
    ['𝓐𝓷𝓷', 'Ann'],
    ['Stand 3️⃣', 'Stand 3'],
    ['Zn̈a̐', 'Zn̈a'],
  ])('is simpler where no font has it: %s', async (text, drawn) => {
    expect(await drawnOf(text)).toBe(drawn);
  });

  test('keeps what joins and parts letters', async () => {
    for (const text of ['می‌خواهم', 'ক্‌ষ', 'क्‍ष']) expect(await drawnOf(text)).toBe(text);
  });

  test('has Han characters in the forms of its language', async () => {
    const fontOf = async (text: string) =>
      (await charactersOf(text, 'regular')).find((each) => each.text === '骨')?.font.name;
    expect(await fontOf('骨')).toContain('noto-sans-sc');
    expect(await fontOf('骨のスープ')).toContain('noto-sans-jp');
    expect(await fontOf('骨 국물')).toContain('noto-sans-kr');
  });
});

describe('the order of a line', () => {
  const lineOf = async (text: string) => fromLeft(layOut(await charactersOf(text, 'regular')));

  test.each([
    ['Urdu with digits', 'گاجر 25 روپے', ['روپے', '25', 'گاجر']],
    ['Urdu with Latin', 'گاجر Nantes تازہ', ['تازہ', 'Nantes', 'گاجر']],
    ['Urdu in English', '2 kg گاجر today', ['2 kg', 'گاجر', 'today']],
    // Brackets are mirrored when they are shaped.
    ['Hebrew with brackets', 'עגבניות (שרי) 3', ['3', ')', 'שרי', '(', 'עגבניות']],
  ])('of %s', async (_, text, expected) => {
    const shown = await lineOf(text);
    expect(shown.filter((part) => part !== '')).toEqual(expected);
  });

  test('of names in a sentence is that of the sentence', async () => {
    const names = ['گاجر', 'پالک'].map(isolate);
    const shown = await lineOf(`2 kg ${names[0]}, 4 bunches ${names[1]}`);
    expect(shown).toEqual(['2 kg', 'گاجر', ', 4 bunches', 'پالک']);
  });

  test.each([
    [`${isolate('#1f2e3d4c')} · 3 پروڈکٹس`, ['پروڈکٹس', '3', '·', '#1f2e3d4c']],
    [`پرنٹ 2، ${isolate('Fri, 27 Nov 2026')}`, ['Fri, 27 Nov 2026', '،', '2', 'پرنٹ']],
    [isolate('10:00–10:30 AM'), ['10:00–10:30 AM']],
    [isolate('+92 300 1234567'), ['+92 300 1234567']],
    [`${isolate('2 kg')} ${isolate('Carrots (new)')}`, ['Carrots (new)', '2 kg']],
  ])('of a reader from right to left begins at the right: %s', async (text, expected) => {
    const shown = fromLeft(layOut(await charactersOf(text, 'regular', 'rtl')));
    expect(shown.filter((part) => part !== '')).toEqual(expected);
  });

  test('stays when the line is broken', async () => {
    const block = await fitText(FROM_LEFT, 'تازہ گاجر 25 روپے فی کلو (نامیاتی) اور پالک', {
      size: 10,
      width: 90,
      lines: 9,
      scaleMin: 1,
    });
    expect(block.lines.length).toBeGreaterThan(1);
    // Each begins at its right.
    for (const line of block.lines) {
      expect(line.runs[0]?.text).toBe([...line.runs].sort((a, b) => b.x - a.x)[0]?.text);
    }
  });
});

describe('a text that is too long', () => {
  const isWithin = async (text: string, width: number) => {
    const block = await fitText(FROM_LEFT, text, { size: 10, width, lines: 3 });
    for (const line of block.lines)
      expect(line.width * block.size).toBeLessThanOrEqual(width + 0.2);
    return block;
  };

  test.each([
    'Heirloom tomatoes '.repeat(20),
    'Donaudampfschifffahrtsgesellschaft'.repeat(4),
    'มะเขือเทศสีแดงสดใหม่จากสวนของเรา'.repeat(6),
    '胡萝卜和菠菜'.repeat(30),
    'محمد عبدالرحمٰن صدیقی '.repeat(12),
    'क्षत्रिय'.repeat(30),
  ])('ends with an ellipsis, and fits: %s', async (text) => {
    const { lines } = await isWithin(text, 120);
    expect(lines).toHaveLength(3);
    expect(
      lines
        .at(-1)
        ?.runs.map((run) => run.text)
        .join(''),
    ).toContain('…');
  });

  test('breaks where its script does', async () => {
    expect(await fitted('Red and yellow tomatoes', 80)).toEqual(['Red and yellow', 'tomatoes']);
    expect(await fitted('สวัสดีครับ', 30)).toEqual(['สวัสดี', 'ครับ']);
    // No line begins with a closing sign.
    expect((await fitted('新鲜的胡萝卜，菠菜。', 62)).every((line) => /^[^，。]/u.test(line))).toBe(
      true,
    );
  });

  test('is cut between what a reader sees as characters', async () => {
    const [line = ''] = await fitted('क्षि'.repeat(20), 60, 1);
    expect(line).toMatch(/^(क्षि)+…$/u);
    const [marked = ''] = await fitted('n̈'.repeat(40), 60, 1);
    expect(marked).toMatch(/^(n̈)+…$/u);
  });
});

/** Draws on one page, and reads it: its text, and where each part begins. */
async function read(draw: (paper: Paper) => Promise<unknown>, language = 'en') {
  const doc = await withLanguageTag(language, async () =>
    openDocument({ size: [300, 100], title: 'Test', at: new Date() }, async (paper) => {
      paper.doc.addPage();
      await draw(paper);
    }),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk);
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)));
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const parts = items.flatMap((item) =>
    'str' in item && item.str.trim() ? [{ text: item.str, x: item.transform[4] as number }] : [],
  );
  const text = (await extractText(pdf)).text
    .join(' ')
    .replace(/\u2060/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, parts };
}

test.each([
  'محمد آصف',
  'گاجر 25 روپے',
  'דוד כהן',
  '王伟',
  'สวัสดีครับ น้ำปลา',
  'राजेश श्रीवास्तव हिन्दी',
  'রবীন্দ্রনাথ',
  'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  'Ngô Thị Phương',
  'Дмитрий',
])('is found and copied as it was written: %s', async (text) => {
  const page = await read((paper) =>
    writeText(paper, text, { x: 10, y: 10 }, { size: 12, width: 200 }),
  );
  // Where spaces are is guessed by the reader of the PDF, from distances.
  const joined = (all: string) => all.replace(/\s/g, '');
  expect(joined(page.text)).toBe(joined(text));
});

test('a page for readers from right to left is mirrored', async () => {
  const draw = async (paper: Paper) => {
    await writeText(paper, 'first', { x: 10, y: 10 }, { size: 10, width: 100 });
    await writeText(paper, 'last', { x: 190, y: 10 }, { size: 10, width: 100, align: 'end' });
  };
  const xOf = (page: Awaited<ReturnType<typeof read>>, text: string) =>
    page.parts.find((part) => part.text === text)?.x ?? Number.NaN;
  const [ltr, rtl] = [await read(draw), await read(draw, 'ur')];
  expect(xOf(ltr, 'first')).toBeCloseTo(10, 0);
  expect(xOf(ltr, 'last')).toBeGreaterThan(250);
  expect(xOf(rtl, 'first')).toBeGreaterThan(250);
  expect(xOf(rtl, 'last')).toBeCloseTo(10, 0);
});
