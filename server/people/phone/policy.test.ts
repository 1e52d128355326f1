import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  canText,
  digitsOfCode,
  secondsToNextCode,
  stateOfCode,
  toE164,
  typedDigits,
} from './policy.ts';

const NOW = new Date('2030-05-01T08:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

afterEach(() => setMarket(DEFAULT_MARKET));

describe('a number', () => {
  it.each([
    '0300 1234567',
    '0300-123-4567',
    '(0300) 1234567',
    '03001234567',
    '300 1234567',
    '0092 300 1234567',
    '+92 300 1234567',
    '+92 (0)300 1234567',
    '٠٣٠٠١٢٣٤٥٦٧',
    '۰۳۰۰ ۱۲۳۴۵۶۷',
    '０３００１２３４５６７',
    '০৩০০ ১২৩৪৫৬৭',
    '०३००-१२३-४५६७',
    'tel:+92-300-1234567',
  ])('is understood as people of the country dial it: %s', (phone) => {
    expect(toE164(phone)).toBe('+923001234567');
  });

  it('may be of another country, and goes by the country of the market', () => {
    expect(toE164('+49 151 23456789')).toBe('+4915123456789');
    expect(toE164('0151 23456789')).toBeUndefined();
    setMarket({ ...DEFAULT_MARKET, country: 'DE' });
    expect(toE164('0151 23456789')).toBe('+4915123456789');
    setMarket({ ...DEFAULT_MARKET, country: 'US' });
    expect(toE164('(212) 555-2368')).toBe('+12125552368');
  });

  it.each([
    '',
    '1',
    '12345',
    'call me',
    '0300 12345678901',
    '+999 123456',
    '0300 1234567 ext. 5',
    '\u0000',
    // Nobody's own, and dear.
    '0900 12345',
    '+1 900 234 5678',
    '+49 180 5123456',
    '+1 800 356 9377',
    '+979 123456789',
  ])('is none: %j', (phone) => {
    expect(toE164(phone)).toBeUndefined();
  });
});

describe('a code', () => {
  const code = { phone: '+923001234567', tries: 0, createdAt: ago(599) };
  const user = { phone: code.phone };

  it('works for ten minutes, for its number, and for five tries', () => {
    expect(stateOfCode(code, user, NOW)).toBe('open');
    expect(stateOfCode({ ...code, createdAt: ago(600) }, user, NOW)).toBe('ended');
    expect(stateOfCode(code, { phone: '+923001234568' }, NOW)).toBe('ended');
    expect(stateOfCode({ ...code, tries: 4 }, user, NOW)).toBe('open');
    expect(stateOfCode({ ...code, tries: 5 }, user, NOW)).toBe('used up');
    expect(stateOfCode(null, user, NOW)).toBe('ended');
  });

  it('has six digits, the same each time, that only the secret of the market tells', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `id ${at}`);
    const digits = ids.map((id) => digitsOfCode({ JWT_SECRET: 'one' }, id));
    for (const each of digits) expect(each).toMatch(/^\d{6}$/);
    expect(new Set(digits).size).toBeGreaterThan(190);
    expect(digitsOfCode({ JWT_SECRET: 'one' }, 'id 0')).toBe(digits[0]);
    expect(digitsOfCode({ JWT_SECRET: 'two' }, 'id 0')).not.toBe(digits[0]);
  });

  it.each(['123456', ' 123 456 ', '123-456', '۱۲۳۴۵۶', '١٢٣٤٥٦', '１２３４５６'])(
    'is typed in any digits: %s',
    (typed) => {
      expect(typedDigits(typed)).toBe('123456');
    },
  );

  it('is sent once a minute and five times an hour', () => {
    expect(secondsToNextCode([], NOW)).toBe(0);
    expect(secondsToNextCode([ago(60)], NOW)).toBe(0);
    expect(secondsToNextCode([ago(59)], NOW)).toBe(1);
    expect(secondsToNextCode([ago(0)], NOW)).toBe(60);
    const times = [3599, 3000, 2000, 1000, 61].map(ago);
    expect(secondsToNextCode(times, NOW)).toBe(1);
    expect(secondsToNextCode(times.slice(1), NOW)).toBe(0);
    expect(secondsToNextCode([...times].reverse(), NOW)).toBe(1);
    expect(secondsToNextCode([ago(3600), ...times.slice(1)], NOW)).toBe(0);
  });
});

it('somebody is texted where the market sends texts and their phone is verified', () => {
  const on = { SMS_URL: 'https://sms.test' };
  expect(canText({ phoneVerifiedAt: NOW }, on)).toBe(true);
  expect(canText({ phoneVerifiedAt: NOW, deletedAt: null }, on)).toBe(true);
  expect(canText({ phoneVerifiedAt: NOW }, { SMS_URL: undefined })).toBe(false);
  expect(canText({ phoneVerifiedAt: null }, on)).toBe(false);
  expect(canText({ phoneVerifiedAt: NOW, deletedAt: NOW }, on)).toBe(false);
});
