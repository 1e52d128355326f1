import { describe, expect, it } from 'vitest';
import type { Worded } from '#contract/people/notifications/constants/words';
import { toNames, withNames } from '../../../server/people/notifications/present.ts';
import { plainNames, TEXT_MAX, textOf } from './sms-text.ts';

const CORA = '00000000-0000-4000-8000-00000000000a';
const LINK = `https://market.test/orders/${CORA}`;
const HANDOVER = {
  date: '2030-05-04',
  time: '10:00',
  isDelivery: false,
  orderedAt: '2030-05-01T08:00:00.000Z',
};

/** Returns what a text message says of something whose customer, sender or farm is called so. */
function write(kind: string, params: object, { name = 'Cora Buyer', more = 0, link = LINK } = {}) {
  const names = plainNames(
    toNames([{ id: CORA, name, farmName: name, isDeleted: name === 'Deleted user' }]),
  );
  const named = withNames({ kind, params }, names) ?? undefined;
  return textOf({ kind, params: named, link } satisfies Worded & { link: string }, more);
}
const placed = (name?: string) =>
  write(
    'order.placed',
    { order: CORA, customer: { _id: CORA }, count: 3, cost: { minor: 250 }, handover: HANDOVER },
    name === undefined ? {} : { name },
  );
const unread = (content: string, rest: object = {}) =>
  write('message.unread', { sender: { _id: CORA }, content }, rest);

it('has title, body and link, a line each, in the characters that every phone has', () => {
  expect(placed()).toBe(
    `New order from Cora Buyer\nOrder #00000000: 3 items, Rs2.50, pickup on Sat, May 4 at 10:00 AM.\n${LINK}`,
  );
  expect(unread('“Wait” – it’s 3 × 2 → 6…')).toContain(`"Wait" - it's 3 x 2 -> 6...`);
});

it('counts what goes with it', () => {
  expect(unread('Hello', { more: 3 })).toBe(
    `Unread message from Cora Buyer\nHello (and 3 more)\n${LINK}`,
  );
});

describe('what somebody else wrote', () => {
  it.each([
    'http://evil.test',
    'evil.test/win',
    'Win 5 on WWW.evil.example',
    'evil．com',
    '1234567',
    '+92 300 1234567',
    '\u202eevil',
    'a\nb',
    'x'.repeat(61),
  ])('is no name but a plain one: %j', (name) => {
    const text = placed(name);
    const shown = name === '\u202eevil' ? 'evil' : name === 'a\nb' ? 'a b' : 'Someone';
    expect(text.split('\n')[0]).toBe(`New order from ${shown}`);
  });

  it('has no link and no control', () => {
    const text = unread(
      'Pay at https://evil.test/a?b=c or evil.test, \u202enow\u2066 \u0007ok ftp://x',
    );
    expect(text).toBe(`Unread message from Cora Buyer\nPay at ... or ... now ok ...\n${LINK}`);
    expect(text.match(/https?:/g)).toHaveLength(1);
  });

  it.each(['192.0.2.7/pay', 'evil.भारत', 'evil.বাংলা', 'a@evil.test', 'evil。中国'])(
    'has no address in numbers, and none of any script: %s',
    (address) => {
      expect(unread(`Pay at ${address} now`)).toContain('\nPay at ... now\n');
    },
  );

  it.each(['3.5 kg for 2.40', '28.11.2026, 10.30', 'v1.2.3'])(
    'keeps its numbers: %s',
    (numbers) => {
      expect(unread(numbers)).toContain(`\n${numbers}\n`);
    },
  );

  it('is named no more once its account is gone', () => {
    expect(placed('Deleted user')).toContain('New order from Deleted user');
  });
});

describe('the longest text', () => {
  it.each([
    ['a long message', () => unread('word '.repeat(500))],
    ['a long message with others', () => unread('word '.repeat(500), { more: 12 })],
    ['emoji', () => unread('🥕'.repeat(500))],
    [
      'a long address',
      () => unread('word '.repeat(100), { link: `https://${'m'.repeat(200)}.test/orders/${CORA}` }),
    ],
    [
      'a longer address',
      () =>
        unread('word '.repeat(100), {
          more: 2,
          link: `https://${'m'.repeat(240)}.test/orders/${CORA}`,
        }),
    ],
    [
      'a security notice',
      () =>
        write(
          'account.security',
          { change: 'emailVerified', device: 'Firefox on Linux' },
          { more: 1 },
        ),
    ],
  ])('is cut where the words are, never the link: %s', (_, text) => {
    const written = text();
    expect(written.length).toBeLessThanOrEqual(TEXT_MAX);
    expect(written.split('\n').at(-1)).toMatch(
      /^https:\/\/m\S+\/orders\/00000000-0000-4000-8000-00000000000a$/,
    );
    expect(written).not.toMatch(/\p{Surrogate}/u);
  });
});

it('shows the words of a row from before there were params', () => {
  const text = textOf({
    kind: 'order.placed',
    title: 'New order',
    body: 'From www.evil.test',
    link: LINK,
  });
  expect(text).toBe(`New order\nFrom ...\n${LINK}`);
});
