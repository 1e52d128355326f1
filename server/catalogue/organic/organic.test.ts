import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { wordsOf } from '#contract/people/notifications/constants/words';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { until } from '../../../testing/until.ts';
import { startTimers, type Timers } from '../../../workers/delivery/timers.ts';
import { timerDefinitions } from '../../../workers/timers.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { productCalls } from '../testing/calls.ts';

// A farm's organic certificate, and the marks of its products that stand and fall with it.

const market = closeAfter(await startTestMarket());
const { db, pool } = market.platform;
const category = await makeCategory(market.platform);
let farmer: Caller;
let workers: Timers[] = [];
beforeEach(async () => {
  await pool.query('TRUNCATE timers, notifications');
  farmer = await market.join('farmer');
});
afterEach(async () => {
  await Promise.all(workers.map((each) => each.close()));
  workers = [];
  await market.put('/market', admin, { requiresOrganicCertificate: false });
});
const admin = await market.join('admin');
const { add, change, headNow, eventsSince } = productCalls(() => ({ market, farmer, category }));

const TODAY = dayIn('UTC');
const upload = async (owner = farmer) => {
  const { id } = await db.upload.create({ data: { ownerId: owner.id, width: 9, height: 9 } });
  return `/uploads/${id}.webp`;
};
const save = async (over: object = {}, as = farmer) => {
  const body = {
    image: await upload(),
    code: 'DE-ÖKO-006',
    validUntil: addDays(TODAY, 90),
    ...over,
  };
  return market.put('/farm/certificate', as, body);
};
const read = async () => (await market.get('/farm/certificate', farmer)).body.data;
const productNow = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`, farmer)).body.data;
const isOrganic = async (id: string) => (await productNow(id)).isOrganic;

/** Two workers, as two processes have them. */
const startWorkers = () => {
  workers = [1, 2].map(() =>
    startTimers(market.platform, { addDelayed: async () => {} }, timerDefinitions(market.platform)),
  );
};
/** Those due by now, or rounded up to the next millisecond. */
const dueTimers = () =>
  db.timer.count({ where: { doneAt: null, dueAt: { lte: new Date(Date.now() + 1000) } } });
const settled = () => until(async () => (await dueTimers()) === 0);

/** Lets the certificate be over since yesterday, and its timers be due. */
async function lapse(days = 1) {
  const certificateUntil = new Date(addDays(TODAY, -days));
  await db.farmerProfile.update({ where: { userId: farmer.id }, data: { certificateUntil } });
  await pool.query(`UPDATE timers SET due_at = now(), done_at = NULL`);
}

describe('a certificate', () => {
  it('stands on the farm’s page once it is saved, and everyone connected fetches that again', async () => {
    const image = await upload();
    const head = await headNow();
    const { status, body } = await save({ image, code: '  DE-ÖKO-006 ' });
    const certificate = { image, code: 'DE-ÖKO-006', validUntil: addDays(TODAY, 90) };
    expect([status, body.data]).toEqual([200, { certificate, lapsedProducts: 0 }]);
    const page = (await market.get(`/users/farmers/${farmer.id}`)).body.data;
    expect(page.profile.certificate).toEqual(certificate);
    expect((await eventsSince(head)).map(({ name }) => name)).toEqual(['farmer.updated']);
    // The same again is no change.
    await market.put('/farm/certificate', farmer, certificate);
    expect(await eventsSince(head)).toHaveLength(1);

    await market.delete('/farm/certificate', farmer);
    expect(await read()).toEqual({ certificate: null, lapsedProducts: 0 });
    await market.delete('/farm/certificate', farmer);
    expect(await eventsSince(head)).toHaveLength(2);
  });

  it('is refused where it is over by the farm’s clock, has no code, or another’s picture', async () => {
    await db.farmerProfile.update({
      where: { userId: farmer.id },
      data: { timeZone: 'Pacific/Kiritimati' },
    });
    const there = dayIn('Pacific/Kiritimati');
    const refused = async (over: object) => {
      const { status, body } = await save(over);
      return [status, body.errors?.[0]?.path];
    };
    expect(await refused({ validUntil: addDays(there, -1) })).toEqual([400, 'validUntil']);
    expect(await refused({ code: ' ' })).toEqual([400, 'code']);
    expect(await refused({ code: 'x'.repeat(41) })).toEqual([400, 'code']);
    expect(await refused({ code: 'a\nb' })).toEqual([400, 'code']);
    expect(await refused({ image: await upload(admin) })).toEqual([400, 'image']);
    expect(await refused({ image: 'https://farm.test/a.jpg' })).toEqual([400, 'image']);
    expect((await save({ validUntil: there })).status).toBe(200);
  });

  it('is changed by owners and managers, and read by all who work there', async () => {
    const [manager, packer] = [
      await hire(market, farmer, 'manager'),
      await hire(market, farmer, 'packer'),
    ];
    expect((await save({}, manager)).status).toBe(200);
    expect((await save({}, packer)).status).toBe(403);
    expect((await market.get('/farm/certificate', packer)).body.data.certificate.code).toBe(
      'DE-ÖKO-006',
    );
    expect((await market.get('/farm/certificate', await market.join('consumer'))).status).toBe(403);
  });
});

describe('at its end', () => {
  it('products lose their mark with an event each, and get it back with another certificate', async () => {
    const [marked, plain] = [await add({ isOrganic: true }), await add({ isOrganic: false })];
    await save();
    startWorkers();
    await settled();
    expect(await isOrganic(marked._id)).toBe(true);

    const head = await headNow();
    await lapse();
    await until(async () => !(await isOrganic(marked._id)));
    await settled();
    const events = await eventsSince(head);
    expect(events.filter(({ name }) => name.startsWith('product'))).toMatchObject([
      {
        name: 'product.updated',
        data: { _id: marked._id, isOrganic: false, version: marked.version + 1 },
      },
    ]);
    expect((await read()).lapsedProducts).toBe(1);

    await save();
    await until(async () => await isOrganic(marked._id));
    await settled();
    expect((await productNow(marked._id)).version).toBe(marked.version + 2);
    expect(await productNow(plain._id)).toEqual(plain);
    expect((await read()).lapsedProducts).toBe(0);
    // The next end is waited for.
    const timer = await db.timer.findUniqueOrThrow({ where: { key: `farm.organic:${farmer.id}` } });
    expect(timer).toMatchObject({ doneAt: null, dueAt: new Date(addDays(TODAY, 91)) });
  });

  it('what the farm marked otherwise meanwhile stays so, and nothing is marked by hand', async () => {
    const [kept, decided] = [await add({ isOrganic: true }), await add({ isOrganic: true })];
    await save();
    startWorkers();
    await settled();
    await lapse();
    await until(async () => !(await isOrganic(kept._id)) && !(await isOrganic(decided._id)));
    expect((await change(decided._id, { isOrganic: false })).status).toBe(200);
    const { status, body } = await change(kept._id, { isOrganic: true });
    expect([status, body.code, body.errors[0].path]).toEqual([
      409,
      'CERTIFICATE_REQUIRED',
      'isOrganic',
    ]);
    // Another change keeps what is remembered.
    expect((await change(kept._id, { price: 7 })).status).toBe(200);
    await save();
    await until(async () => isOrganic(kept._id));
    await settled();
    expect(await isOrganic(decided._id)).toBe(false);
  });

  it('a thousand products are changed in parts, by two workers once each', async () => {
    await db.product.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({
        ...{
          farmerId: farmer.id,
          categoryId: category,
          name: `Leek ${index}`,
          description: 'Long.',
        },
        ...{ priceMinor: 100, unit: 'each' as const, stockMilli: 5000, isOrganic: true },
      })),
    });
    await save();
    await lapse();
    const head = await headNow();
    startWorkers();
    const lapsed = () =>
      db.product.count({ where: { farmerId: farmer.id, isOrganicLapsed: true } });
    await until(async () => (await lapsed()) === 1000);
    await settled();
    await market.platform.eventLog.sequence();
    const all = await market.platform.eventLog.read(head, 5000);
    const events = all.filter(({ name }) => name === 'product.updated');
    const ids = events.map(({ data }) => ('_id' in data ? data._id : ''));
    expect([events.length, new Set(ids).size]).toEqual([1000, 1000]);
    const versions = await db.product.groupBy({
      by: ['version', 'isOrganic'],
      where: { farmerId: farmer.id },
    });
    expect(versions).toEqual([{ version: 2, isOrganic: false }]);
  });

  it('nothing happens where it was removed or renewed before the timer ran; a suspended farm loses its marks', async () => {
    const product = await add({ isOrganic: true });
    await save();
    await market.delete('/farm/certificate', farmer);
    await pool.query('UPDATE timers SET due_at = now()');
    startWorkers();
    await settled();
    expect(await productNow(product._id)).toEqual(product);

    await save({ validUntil: TODAY });
    await pool.query('UPDATE timers SET due_at = now(), done_at = NULL');
    await settled();
    expect(await isOrganic(product._id)).toBe(true);

    await db.notification.deleteMany();
    await market.put(`/users/${farmer.id}/suspension`, admin, { suspended: true, reason: 'Look.' });
    await lapse();
    await until(async () => {
      const row = await db.product.findUniqueOrThrow({ where: { id: product._id } });
      return row.isOrganicLapsed;
    });
    await settled();
    expect(await db.notification.count({ where: { kind: 'farm.certificate' } })).toBe(0);
  });
});

describe('reminders', () => {
  const bell = async () =>
    (
      await db.notification.findMany({ where: { userId: farmer.id, kind: 'farm.certificate' } })
    ).map(({ params }) => wordsOf({ kind: 'farm.certificate', params: params as object }).title);
  const setUntil = (days: number) => save({ validUntil: addDays(TODAY, days) });
  const runAll = async () => {
    await pool.query(`UPDATE timers SET due_at = now() WHERE kind = 'farm.certificate'`);
    await settled();
  };

  it('come 30 and 7 days before the end and after it, once each, by the day it is', async () => {
    startWorkers();
    await setUntil(40);
    expect(await db.timer.count({ where: { kind: 'farm.certificate' } })).toBe(3);
    await runAll();
    expect(await bell()).toEqual([]);
    const moveTo = async (days: number) => {
      await db.farmerProfile.update({
        where: { userId: farmer.id },
        data: { certificateUntil: new Date(addDays(TODAY, days)) },
      });
      await pool.query('UPDATE timers SET done_at = NULL');
      await runAll();
    };
    await moveTo(30);
    expect(await bell()).toHaveLength(1);
    // The same day again.
    await moveTo(30);
    expect(await bell()).toHaveLength(1);
    await moveTo(5);
    expect(await bell()).toHaveLength(2);
    await moveTo(-1);
    expect(await bell()).toHaveLength(3);
    expect((await bell()).at(-1)).toBe('Your organic certificate has ended');
  });

  it('move with the certificate and the clock of the farm', async () => {
    await setUntil(40);
    const dueAt = async (name: string) =>
      (
        await db.timer.findUniqueOrThrow({
          where: { key: `farm.certificate:${farmer.id}:${name}` },
        })
      ).dueAt;
    expect(await dueAt('30')).toEqual(new Date(`${addDays(TODAY, 10)}T09:00:00Z`));
    await setUntil(50);
    expect(await dueAt('30')).toEqual(new Date(`${addDays(TODAY, 20)}T09:00:00Z`));
    await market.put('/users/farmers/profile', farmer, {
      ...{ farmName: 'Hill', description: 'Soil.', timeZone: 'Asia/Karachi' },
    });
    expect(await dueAt('7')).toEqual(new Date(`${addDays(TODAY, 43)}T04:00:00Z`));
  });
});

it('a market that asks for certificates takes no new mark without one, and leaves the others', async () => {
  const marked = await add({ isOrganic: true });
  expect((await market.get('/market')).body.data.requiresOrganicCertificate).toBe(false);
  await market.put('/market', admin, { requiresOrganicCertificate: true });
  expect((await market.get('/market')).body.data.requiresOrganicCertificate).toBe(true);
  expect(await productNow(marked._id)).toEqual(marked);
  const stock = { product: marked._id, quantityAvailable: 3, seen: marked.quantityAvailable };
  expect((await market.put('/products/stock', farmer, { changes: [stock] })).status).toBe(200);
  expect(await isOrganic(marked._id)).toBe(true);
  expect((await change(marked._id, { price: 9 })).body.code).toBe('CERTIFICATE_REQUIRED');
  expect((await change(marked._id, { price: 9, isOrganic: false })).status).toBe(200);
  const body = productInput(category, { isOrganic: true });
  expect((await market.post('/products', farmer, body)).body.code).toBe('CERTIFICATE_REQUIRED');
  await save();
  expect((await market.post('/products', farmer, body)).status).toBe(201);
  expect((await change(marked._id, { isOrganic: true })).status).toBe(200);
});
