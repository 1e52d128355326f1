import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, type Market, setMarket } from '#contract/platform/market/constants';
import { columnsOf, toCsv, unprotect } from './csv.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

type Row = {
  text?: string;
  phone?: string;
  amount?: number;
  day?: string;
  at?: string;
  is?: boolean;
};
const make = columnsOf<Row>();
const COLUMNS = [
  make.text(
    () => 'Text',
    ({ text }) => text,
  ),
  make.phone(
    () => 'Phone',
    ({ phone }) => phone,
  ),
  make.number(
    () => 'Amount',
    ({ amount }) => amount,
  ),
  make.wall(
    () => 'Day',
    ({ day }) => day,
  ),
  make.instant(
    (zone) => `At (${zone})`,
    ({ at }) => at,
  ),
  make.yesOrNo(
    () => 'Is',
    ({ is }) => is,
  ),
];

/** Reads CSV as RFC 4180 says; a quote within an unquoted cell is a character, as in spreadsheets. */
function parse(csv: string, separator: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at < csv.length; ) {
    let cell = '';
    if (csv[at] === '"') {
      for (at++; at < csv.length && (csv[at] !== '"' || csv[++at] === '"'); at++) cell += csv[at];
    }
    while (at < csv.length && csv[at] !== separator && !/[\r\n]/.test(csv[at] ?? ''))
      cell += csv[at++];
    cells.push(cell);
    if (csv[at] === separator) {
      at++;
      continue;
    }
    at += csv.startsWith('\r\n', at) ? 2 : 1;
    rows.push(cells);
    cells = [];
  }
  return rows;
}

const cellOf = (row: Row, separator = ','): string =>
  parse(toCsv(COLUMNS, [row], { hasHeadings: false }), separator)[0]?.find((cell) => cell !== '') ??
  '';

/** What a spreadsheet would take for a formula; numbers below zero are none, and phone numbers are no valid one. */
const runs = (cell: string): boolean =>
  /^[\s"]*[=+\-@＝＋－＠]/.test(cell) &&
  !/^-[\d.,]+$/.test(cell) &&
  !/^\+\d[\d()./-]* [\d()./ -]+$/.test(cell);

describe('a text', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['-2', "'-2"],
    ['+1 802 555 0100', "'+1 802 555 0100"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['\tindented', "'\tindented"],
    ['  =1', "'  =1"],
    ['＝1+1', "'＝1+1"],
    ['kale;=1+1', "kale;'=1+1"],
    ['kale\t=1+1', "kale\t'=1+1"],
    ['Please:\n- no plastic\r\n@me', "Please:\n'- no plastic\r\n'@me"],
    ['kale, "=1+1"', 'kale,\' "=1+1"'],
    ["'=1", "''=1"],
    ['=HYPERLINK("http://x.test","y")', '\'=HYPERLINK("http://x.test","y")'],
    ['a=b', 'a=b'],
    ["it's 5-6", "it's 5-6"],
    ['Ümlaut 果物 🍎', 'Ümlaut 果物 🍎'],
    ['two\nlines', 'two\nlines'],
    [' padded ', ' padded '],
  ])('never runs as a formula, and is taken back whole: %j', (text, cell) => {
    expect(cellOf({ text })).toBe(cell);
    expect(unprotect(cell)).toBe(text);
  });

  it.each(['en-US', 'de-DE'])(
    'runs in no spreadsheet, however that one splits lines (%s)',
    (locale) => {
      setMarket({ ...DEFAULT_MARKET, locale });
      const own = locale === 'en-US' ? ',' : ';';
      const pieces = ['=', '-', '+', "'", '"', ';', ',', '\t', '\n', '\r', ' ', 'a', '1'];
      for (let made = 0; made < 3000; made++) {
        // A linear congruence: the same texts each time.
        let seed = made;
        const text = Array.from({ length: 8 }, () => {
          seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
          return pieces[(seed >> 8) % pieces.length];
        }).join('');
        const csv = toCsv(COLUMNS, [{ text, amount: -1.5 }], { hasHeadings: true });
        expect(unprotect(parse(csv, own)[1]?.[0] ?? ''), JSON.stringify(text)).toBe(text);
        for (const separator of [',', ';', '\t']) {
          const cells = parse(csv, separator).flat();
          expect(cells.filter(runs), JSON.stringify([text, csv])).toEqual([]);
        }
      }
    },
  );

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded ', '" padded "'],
    ['a;b', 'a;b'],
  ])('is quoted only where it must be: %j', (text, cell) => {
    expect(toCsv(COLUMNS.slice(0, 1), [{ text }], { hasHeadings: false })).toBe(`${cell}\r\n`);
  });
});

it.each([
  ['+49 151 23456789', '+49 151 23456789'],
  ['+1 (802) 555-0142', '+1 (802) 555-0142'],
  ['+49 (0)151 2345', '+49 (0)151 2345'],
  // A sum, a number that loses its plus, one that loses its first zero.
  ['+1-802-555-0142', '+1 802-555-0142'],
  ['+1 - 802 - 555 - 0142', '+1 802 - 555 - 0142'],
  ['+4915123456789', '+49 15123456789'],
  ['+923001234567', '+92 3001234567'],
  ['+353861234567', '+353 861234567'],
  ['01512345678', '0151 2345678'],
  // As it comes from a phone's contacts, and in other digits.
  ['\u202a+49 151 23456789\u202c', '+49 151 23456789'],
  ['＋４９ １５１ ２３４５６', '+49 151 23456'],
  ['+٢٠ ١٠ ١٢٣٤ ٥٦٧٨', '+20 10 1234 5678'],
  ['+1 802 555 0142 ext. 7', '+1 802 555 0142 ext. 7'],
  ['0151 / 2345', '0151 / 2345'],
  ['5550142', '5550142'],
  ['+1+cmd|calc', "'+1+cmd|calc"],
  ['+49', "'+49"],
  ['=1', "'=1"],
])('a phone number keeps its plus and its zero, and is no formula: %j', (phone, cell) => {
  expect(cellOf({ phone })).toBe(cell);
});

const SEPARATORS: [locale: string, separator: string, decimals: string][] = [
  ['en-US', ',', '-1204.5'],
  ['de-DE', ';', '-1204,5'],
  ['ar-EG', ',', '-1204.5'],
  ['id-ID', ';', '-1204,5'],
  ['de-CH', ',', '-1204.5'],
  ['hi-IN', ',', '-1204.5'],
];
it.each(SEPARATORS)(
  'a market in %s has its separator, decimals and clock',
  (locale, separator, amount) => {
    setMarket({ ...DEFAULT_MARKET, locale, timeZone: 'Asia/Karachi' } satisfies Market);
    const row: Row = {
      text: `kale${separator} leeks`,
      phone: '+49 151 23456789',
      amount: -1204.5,
      day: '2026-03-05',
      at: '2026-03-04T20:30:09.123Z',
      is: false,
    };
    const csv = toCsv(COLUMNS, [row, {}], { hasHeadings: true });
    expect(parse(csv, separator)).toEqual([
      ['Text', 'Phone', 'Amount', 'Day', 'At (Asia/Karachi)', 'Is'],
      [
        `kale${separator} leeks`,
        '+49 151 23456789',
        amount,
        '2026-03-05',
        '2026-03-05 01:30:09',
        'no',
      ],
      ['', '', '', '', '', ''],
    ]);
    expect(csv).toContain(`${separator}${amount}${separator}`);
    expect(csv.endsWith(`${separator.repeat(5)}\r\n`)).toBe(true);
  },
);

it('has headings alone where there are no rows, and none in later parts', () => {
  const columns = COLUMNS.slice(0, 1);
  expect(toCsv(columns, [], { hasHeadings: true })).toBe('Text\r\n');
  expect(toCsv(columns, [{ text: 'A' }], { hasHeadings: false })).toBe('A\r\n');
});
