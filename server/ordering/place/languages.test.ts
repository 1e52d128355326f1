import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

let admin: Caller;

beforeAll(async () => {
  admin = await fixture.join('admin');
  const { body } = await fixture.call('GET', '/market');
  const { version, announcement: _, pages: __, ...present } = body.data;
  const languages = ['en', 'de', 'ur'];
  const settings = { ...present, languages, expectedVersion: version };
  expect((await fixture.call('PUT', '/market', { as: admin, body: settings })).status).toBe(200);
});

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } });

test('refuses an order in the language of the request, with the same figures beside it in each', async () => {
  const product = await fixture.createProduct(1, { name: 'دالیں & Kale' });
  const place = async (language: string) =>
    (await fixture.order([{ product, quantity: 5 }], inLanguage(language))).body;
  const answers = await Promise.all(['en', 'de', 'ur'].map(place));
  expect(answers.map(({ message }) => message)).toEqual([
    'Only 1 lb of \u2068دالیں & Kale\u2069 left.',
    'Nur noch 1 lb \u2068دالیں & Kale\u2069 übrig.',
    '\u2068دالیں & Kale\u2069 کی صرف \u20681 پاؤنڈ\u2069 مقدار باقی ہے۔',
  ]);
  expect(answers.map(({ params }) => params)).toEqual(
    ['1 lb', '1 lb', '1 پاؤنڈ'].map((quantity) => ({ quantity, name: 'دالیں & Kale' })),
  );
  for (const { code, errors, message, problems } of answers) {
    expect(code).toBe('OUT_OF_STOCK');
    expect(errors).toEqual([{ path: 'items.0.quantity', message }]);
    expect(problems).toEqual([{ line: 0, code: 'OUT_OF_STOCK', left: 1 }]);
  }
});

test('names what is wrong with the input in the language of the request', async () => {
  const place = async (language: string) => (await fixture.order([], inLanguage(language))).body;
  expect(await place('de')).toMatchObject({
    code: 'INVALID',
    errors: [{ path: 'items', message: 'Legen Sie zuerst etwas in den Warenkorb.' }],
  });
  expect((await place('ur')).message).toBe('پہلے ٹوکری میں کچھ ڈالیں۔');
  expect((await place('fr')).message).toBe('Put something in the cart first.');
});

test('says in the language of the request what became of each of several orders', async () => {
  const product = await fixture.createProduct(1);
  const order: Order = await fixture.placeOrder([{ product, quantity: 1 }]);
  await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
  const { body } = await fixture.call('PUT', '/orders/status', {
    as: fixture.farmer,
    body: { ids: [order._id], status: 'accepted' },
    ...inLanguage('de'),
  });
  expect(body.data).toEqual([
    {
      _id: order._id,
      code: 'TRANSITION_NOT_ALLOWED',
      message: 'Diese Bestellung ist storniert, daher kann sie nicht angenommen werden.',
    },
  ]);
});
