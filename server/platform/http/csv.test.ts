import { describe, expect, it } from 'vitest';
import { csvCell, toCsv } from '../../admin/admin/exports.ts';

describe('a cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 802 555 0100', "'+1 802 555 0100"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['  =1', "'  =1"],
    ['＝1+1', "'＝1+1"],
    ['=HYPERLINK("http://x.test","y")', '"\'=HYPERLINK(""http://x.test"",""y"")"'],
  ])('never runs as a formula: %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it.each([
    ['Cora', 'Cora'],
    ['a=b', 'a=b'],
    ['Ümlaut 果物 🍎', 'Ümlaut 果物 🍎'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded ', '" padded "'],
    ['', ''],
  ])('is quoted only where it must be: %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('keeps numbers as they are, negative ones too', () => {
    expect([csvCell(12.5), csvCell(-1), csvCell(0), csvCell(null)]).toEqual([
      '12.5',
      '-1',
      '0',
      '',
    ]);
  });
});

it('begins with the header when asked, and ends every line with CRLF', () => {
  const columns = [
    { header: () => 'Name', value: (row: { name: string; total: number }) => row.name },
    { header: () => 'Total', value: (row: { name: string; total: number }) => row.total },
  ];
  const rows = [{ name: 'A', total: 1 }];
  expect(toCsv(columns, rows, { hasHeader: true })).toBe('Name,Total\r\nA,1\r\n');
  expect(toCsv(columns, rows, { hasHeader: false })).toBe('A,1\r\n');
  expect(toCsv(columns, [], { hasHeader: true })).toBe('Name,Total\r\n');
});
