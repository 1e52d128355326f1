import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLIENT_ERROR_LIMITS } from '#contract/platform/client-errors/constants';
import { scaled } from '../../../testing/until.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import { startTestMarket, type TestMarket } from '../../testing/market.ts';
import {
  browserFamily,
  createLogBudget,
  messageWithoutPersonalData,
  withoutPersonalData,
} from './routes.ts';

const ID = '8f14e45f-ceea-4d7e-a3c1-1a2b3c4d5e6f';

describe('a report', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await startTestMarket();
  });
  afterAll(() => market.close());
  afterEach(() => vi.restoreAllMocks());

  const report = (body: unknown, headers: Record<string, string> = {}) =>
    market.call('POST', '/client-errors', { body, headers });

  it('of a visitor is logged as a warning, without what names people', async () => {
    const warn = vi.spyOn(market.platform.log, 'warn');
    const { status, body } = await report(
      {
        message: `TypeError: no order ${ID} of cleo@farmgate.test`,
        stack: `TypeError: x\n    at f (https://farmgate.test/assets/index-abc.js?token=eyJh.eyJz.sig:1:2345)`,
        path: `/orders/${ID}?search=Cleo`,
      },
      { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36' },
    );
    expect([status, body]).toEqual([200, { success: true }]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      {
        message: 'TypeError: no order [id] of [email]',
        stack: 'TypeError: x\n    at f (https://farmgate.test/assets/index-abc.js:1:2345)',
        path: '/orders/[id]',
        browser: 'Chrome mobile',
      },
      'Client error',
    );
  });

  it.each([
    ['nothing', {}],
    ['a message that is no text', { message: 7 }],
    ['a message that is too long', { message: 'x'.repeat(CLIENT_ERROR_LIMITS.message + 1) }],
    ['a stack that is too long', { message: '', stack: 'x'.repeat(CLIENT_ERROR_LIMITS.stack + 1) }],
    ['a path that is too long', { message: '', path: 'x'.repeat(CLIENT_ERROR_LIMITS.path + 1) }],
  ])('of %s is refused', async (_, body) => {
    expect((await report(body)).status).toBe(400);
  });

  it('may hold any characters', async () => {
    expect((await report({ message: 'a\u0000b\ud800\n', stack: '\u2028' })).status).toBe(200);
  });

  it('that is far too large is refused before it is read', async () => {
    expect((await report({ message: 'x'.repeat(100_000) })).status).toBe(413);
  });
});

it('is refused when one address sends too many', async () => {
  const market = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.1' });
  try {
    const statuses = [];
    for (let index = 0; index < 4; index++) {
      const { status } = await market.call('POST', '/client-errors', { body: { message: 'x' } });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  } finally {
    await market.close();
  }
});

it('writes no more lines than its budget, and says afterwards how many it left out', () => {
  const dropped: number[] = [];
  const mayLog = createLogBudget(2, (count) => dropped.push(count));
  expect([0, 1, 2, 59_999].map((now) => mayLog(now))).toEqual([true, true, false, false]);
  expect(dropped).toEqual([]);
  expect(mayLog(60_000)).toBe(true);
  expect(dropped).toEqual([2]);
  expect(mayLog(200_000)).toBe(true);
  expect(dropped).toEqual([2]);
});

it.each([
  ['/orders/8F14E45F-CEEA-4D7E-A3C1-1A2B3C4D5E6F', '/orders/[id]'],
  ['https://a.test/x.js?v=1#y:10:20', 'https://a.test/x.js:10:20'],
  ['/reset-password?token=abc&email=a@b.test', '/reset-password'],
  ['call +1 (555) 123-4567 now', 'call [number] now'],
  ['a?.b is not a function', 'a?.b is not a function'],
  ['at f (index.js:1:234567)', 'at f (index.js:1:234567)'],
])('scrubs %s to %s', (text, scrubbed) => {
  expect(withoutPersonalData(text)).toBe(scrubbed);
});

it('leaves out what a message quotes', () => {
  expect(messageWithoutPersonalData('Unexpected token, "Cleo Customer" is not JSON')).toBe(
    'Unexpected token, "…" is not JSON',
  );
});

it('scrubs a long text of anything in little time', () => {
  const texts = ['/', '@', '1 ', '"', 'a@', 'eyJ.', 'https://'].map((part) =>
    part.repeat(CLIENT_ERROR_LIMITS.stack).slice(0, CLIENT_ERROR_LIMITS.stack),
  );
  const start = performance.now();
  for (const text of texts) withoutPersonalData(messageWithoutPersonalData(text));
  expect(performance.now() - start).toBeLessThan(scaled(5_000));
});

it.each([
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36', 'Chrome desktop'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox desktop'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari mobile',
  ],
  ['', 'other desktop'],
])('knows the browser of %s', (userAgent, browser) => {
  expect(browserFamily(userAgent)).toBe(browser);
});
