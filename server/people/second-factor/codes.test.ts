import { generateSync } from 'otplib';
import { expect, it } from 'vitest';
import {
  hashRecoveryCode,
  isAppCode,
  makeRecoveryCodes,
  openSecret,
  sealSecret,
  stepOfCode,
} from './codes.ts';

/** The secret of RFC 6238, appendix B: '12345678901234567890' in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('takes the code of RFC 6238 at %i s', (seconds, code) => {
  expect(stepOfCode(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

it('takes a code one step early or late, and returns which step it was, and none further away', () => {
  const now = 1_800_000_015;
  const codeAt = (seconds: number) => generateSync({ secret: SECRET, epoch: seconds });
  for (const steps of [-1, 0, 1]) {
    const step = stepOfCode(SECRET, codeAt(now + steps * 30), now * 1000);
    expect(step).toBe(Math.floor(now / 30) + steps);
  }
  for (const steps of [-3, -2, 2, 3]) {
    expect(stepOfCode(SECRET, codeAt(now + steps * 30), now * 1000)).toBeUndefined();
  }
});

it.each([
  '287 082',
  ' 287082 ',
  '287-082',
  '２８７０８２',
  '٢٨٧٠٨٢',
  '۲۸۷۰۸۲',
  '२८७ ०८२',
  '\u200e২৮৭০৮২\u200f',
])('reads %j as it is meant', (typed) => {
  expect(isAppCode(typed)).toBe(true);
  expect(stepOfCode(SECRET, typed, 59_000)).toBe(1);
});

it.each(['', '28708', '2870823', 'abcdef', '28708２x', '\u0000'])(
  'takes %j for no code',
  (typed) => {
    expect(stepOfCode(SECRET, typed, 59_000)).toBeUndefined();
  },
);

it('makes ten recovery codes that differ, and recognizes each however it is spelled', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const hash = hashRecoveryCode('me', code);
    for (const spelled of [
      code.toLowerCase(),
      code.replaceAll('-', ' '),
      ` ${code.replaceAll('-', '')} `,
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
    ]) {
      expect(hashRecoveryCode('me', spelled)).toBe(hash);
    }
    expect(hashRecoveryCode('you', code)).not.toBe(hash);
    expect(isAppCode(code)).toBe(false);
  }
});

it('seals a secret for one account and one JWT_SECRET', () => {
  const sealed = sealSecret('one key of the market', 'me', SECRET);
  expect(sealed).not.toContain(SECRET);
  expect(sealSecret('one key of the market', 'me', SECRET)).not.toBe(sealed);
  expect(openSecret('one key of the market', 'me', sealed)).toBe(SECRET);
  expect(openSecret('one key of the market', 'you', sealed)).toBeUndefined();
  expect(openSecret('another key', 'me', sealed)).toBeUndefined();
  expect(openSecret('one key of the market', 'me', `${sealed.slice(0, -2)}AA`)).toBeUndefined();
  expect(openSecret('one key of the market', 'me', '')).toBeUndefined();
});
