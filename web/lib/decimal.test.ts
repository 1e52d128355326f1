import { expect, it } from 'vitest';
import { decimalField, optionalDecimalField, parseDecimal } from './decimal.ts';

it.each([
  ['1.5', 1.5],
  ['1,5', 1.5],
  [' 0,25 ', 0.25],
  ['.5', 0.5],
  [',5', 0.5],
  ['2.', 2],
  ['12', 12],
  ['0', 0],
  ['-10', -10],
  ['−2,5', -2.5],
  ['0,250', 0.25],
  ['1.200', 1.2],
  ['1200', 1200],
  ['1000,500', 1000.5],
  ['1,2345', 1.2345],
])('reads %j as %d', (text, number) => {
  expect(parseDecimal(text)).toBe(number);
});

it.each([
  '',
  ' ',
  '.',
  ',',
  '-',
  '1e3',
  'NaN',
  'Infinity',
  '0x10',
  '1 5',
  '1,2,3',
  '1.200,50',
  '1,200.50',
  '1,200',
  'kg',
])('does not guess what %j means', (text) => {
  expect(parseDecimal(text)).toBeNaN();
});

it('gives forms a number, and null for an empty field that may be', () => {
  expect(decimalField.setValueAs('2,5')).toBe(2.5);
  expect(decimalField.setValueAs(2.5)).toBe(2.5);
  expect(decimalField.setValueAs('')).toBeNaN();
  expect(optionalDecimalField.setValueAs(' ')).toBeNull();
  expect(optionalDecimalField.setValueAs(null)).toBeNull();
  expect(optionalDecimalField.setValueAs('0,1')).toBe(0.1);
  expect(optionalDecimalField.setValueAs('some')).toBeNaN();
});
