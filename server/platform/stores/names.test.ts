import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  compareNames,
  isFoundIn,
  searchForm,
  searchWords,
} from '#contract/platform/text/constants/names';
import { phoneForm, phonesSought } from '#contract/platform/text/constants/phones';
import { createTestDatabase, openTestDatabase } from '../../testing/database.ts';

const database = await createTestDatabase();
const { db, close } = openTestDatabase(database.url, 1);
afterAll(async () => {
  await close();
  await database.drop();
});

/** Blocks of the Basic Multilingual Plane and beyond that have had their letters for years. */
const BLOCKS: [first: number, last: number][] = [
  [0x20, 0x24f],
  [0x250, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x5f4],
  [0x600, 0x6ff],
  [0x750, 0x77f],
  [0x900, 0xdff],
  [0xe01, 0xfff],
  [0x1000, 0x1248],
  [0x1780, 0x17ff],
  [0x1e00, 0x1fff],
  [0x2000, 0x22ff],
  [0x3041, 0x30ff],
  [0x4e00, 0x4f00],
  [0xac00, 0xad00],
  [0xf900, 0xfa6d],
  [0xfb00, 0xfdff],
  [0xfe00, 0xffef],
  [0x1d400, 0x1d7ff],
  [0x1f600, 0x1f64f],
];
const letters = BLOCKS.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, nth) => String.fromCodePoint(first + nth)),
).filter((letter) => /\p{Assigned}/u.test(letter));
const texts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 30 });

const inDatabase = async (values: string[]) => {
  const rows = await db.$queryRaw<{ form: string; phone: string }[]>`
    SELECT search_form(value) AS form, phone_form(value) AS phone
    FROM unnest(${values}::text[]) WITH ORDINALITY AS given (value, nth) ORDER BY nth`;
  return rows.map(({ form, phone }) => [form, phone]);
};

it('is the same form in the database, of every letter and of any text', async () => {
  const inCode = (values: string[]) => values.map((value) => [searchForm(value), phoneForm(value)]);
  expect(await inDatabase(letters)).toEqual(inCode(letters));
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 20, maxLength: 40 }), async (values) => {
      expect(await inDatabase(values)).toEqual(inCode(values));
    }),
    { numRuns: 50 },
  );
});

it('is its own form', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(searchForm(searchForm(text))).toBe(searchForm(text));
    }),
  );
});

it.each([
  ['José Müller', 'jose'],
  ['José Müller', 'Muller Jose'],
  ['José Müller', 'müller, josé'],
  ['Łukasz Øster', 'oster lukasz'],
  ['İpek Işık', 'ipek isik'],
  ['Straße', 'STRASSE'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς'],
  ['Ёлка', 'елка'],
  // Urdu and Arabic keyboards: yeh, kaf and heh.
  ['علی خان', 'علي'],
  ['كتاب', 'کتاب'],
  ['فاطمة', 'فاطمه'],
  ['فاطمہ', 'فاطمه'],
  ['أحمد', 'احمد'],
  ['آم', 'ام'],
  ['مؤمن', 'مومن'],
  ['علماء', 'علما'],
  ['مـــحـمّد', 'محمد'],
  ['می‌خواهم', 'میخواهم'],
  ['ﻻهور', 'لاہور'],
  ['Stall ۱۲', '12'],
  ['Stall 12', '१२'],
  ['東京', '東'],
  ['ガーデン', 'ガーデン'],
  ['Cherry-tomatoes', 'tomatoes cherry'],
  ["D'Angelo", 'd’angelo'],
  ['50 % off', '%'],
])('%s is found by %s', (text, typed) => {
  expect(isFoundIn([text], typed)).toBe(true);
});

it.each([
  ['José Müller', 'josef'],
  ['मेला', 'मल'],
  ['50 off', '%'],
  ['کے', 'کی'],
])('%s is not found by %s', (text, typed) => {
  expect(isFoundIn([text], typed)).toBe(false);
});

it('looks for all words in one text, not some in each', () => {
  expect(isFoundIn(['Green Farm', 'José Müller'], 'farm jose')).toBe(false);
  expect(isFoundIn(['Green Farm', 'José Müller'], ' ')).toBe(true);
});

it('takes a search apart at spaces and commas alone', () => {
  expect(searchWords(' Müller,  José\n')).toEqual(['muller', 'jose']);
  expect(searchWords('cora.buyer@mail.test')).toEqual(['cora.buyer@mail.test']);
  expect(searchWords(' , ')).toEqual([]);
});

const GERMAN = ['+49 151 2345678', '0151/2345678', '0049 (0)151-23 45 67 8', '(0151) 234-5678'];
const NUMBERS: [country: string, numbers: string[], typed: string[]][] = [
  ['DE', GERMAN, [...GERMAN, '0151', '4915123', '٠١٥١ ٢٣٤', '+49 (0) 151', '2345', '01512345678']],
  ['PK', ['+92 300 1234567', '0300-1234567'], ['0300 123', '۰۳۰۰۱۲۳۴', '+923001', '923001234567']],
  ['US', ['+1 (555) 123-4567', '555.123.4567'], ['1 555 123', '(555) 123', '+1 555']],
  ['RU', ['+7 912 345-67-89', '8 (912) 345-67-89'], ['8912', '+7 912', '89123456789']],
  ['ES', ['+34 612 34 56 78', '612345678'], ['612 34', '0034 612']],
  ['IT', ['+39 06 1234567', '06 1234567'], ['06 123', '+39 06 12', '0039 06 1234']],
];
it.each(NUMBERS)('finds phone numbers in %s however they are typed', (country, numbers, typed) => {
  for (const number of numbers) {
    for (const search of typed) {
      const found = phonesSought(search, country).some((part) => phoneForm(number).includes(part));
      expect(found, `${number} by ${search}`).toBe(true);
    }
  }
});

it.each(['015', 'Cora 0151', '12 apples', '', '+'])('takes "%s" for no phone number', (typed) => {
  expect(phonesSought(typed, 'DE')).toEqual([]);
});

it('does not take the number of another country for one of this', () => {
  const found = phonesSought('+44 151 2345678', 'DE').some((part) =>
    phoneForm('+49 151 2345678').includes(part),
  );
  expect(found).toBe(false);
});

it.each([
  ['en-US', ['Äpfel', 'apples', 'Stall 2', 'Stall 10', 'Zucchini']],
  ['sv-SE', ['apples', 'Stall 2', 'Stall 10', 'Zucchini', 'Äpfel']],
  // A locale that nobody sorts by has the order of most.
  ['qaa', ['Äpfel', 'apples', 'Stall 2', 'Stall 10', 'Zucchini']],
])('sorts names as the market of %s does', (locale, sorted) => {
  try {
    setMarket({ ...DEFAULT_MARKET, locale });
    expect(sorted.toReversed().sort(compareNames)).toEqual(sorted);
  } finally {
    setMarket(DEFAULT_MARKET);
  }
});
