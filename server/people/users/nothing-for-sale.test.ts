import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/platform/time/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const category = await makeCategory(market.platform);

/** The day so many days from today, by the market's clock, which is UTC's here. */
const dayFromNow = (days: number): string => addDays(dayIn('UTC'), days);

const { put } = market;
const sell = (farmer: Caller, over = {}) => sellProduct(market, farmer, category, over);

/** The farms in the admins' list, whose length the dashboard has to tell. */
async function emptyFarms(): Promise<string[]> {
  const [{ body: list }, { body: stats }] = await Promise.all([
    market.get('/users?state=nothingForSale&limit=200', admin),
    market.get('/admin/stats', admin),
  ]);
  expect(stats.data.attention.farmsWithNothingForSale).toBe(list.data.length);
  return list.data.map(({ _id }: { _id: string }) => _id);
}

/** The same farms, found by a look at every product. */
async function emptyFarmsByProducts(): Promise<string[]> {
  const farmers = await market.platform.db.user.findMany({
    where: { role: 'farmer', suspendedAt: null, deletedAt: null },
    include: { products: true },
  });
  const isForSale = (product: { isActive: boolean; availableUntil: Date | null }) =>
    product.isActive &&
    (!product.availableUntil || product.availableUntil.toISOString().slice(0, 10) >= dayFromNow(0));
  return farmers.filter(({ products }) => !products.some(isForSale)).map(({ id }) => id);
}

const isEmpty = async (farmer: Caller) => (await emptyFarms()).includes(farmer.id);

describe('a farm with nothing for sale', () => {
  it('is one without products, and no longer once it has one', async () => {
    const farmer = await market.join('farmer');
    expect(await isEmpty(farmer)).toBe(true);
    const product = await sell(farmer);
    expect(await isEmpty(farmer)).toBe(false);
    await market.delete(`/products/${product}`, farmer);
    expect(await isEmpty(farmer)).toBe(true);
  });

  it('has the last day of its last product behind it', async () => {
    const farmer = await market.join('farmer');
    const first = await sell(farmer, { availableUntil: dayFromNow(0) });
    const second = await sell(farmer, { availableUntil: dayFromNow(9) });
    expect(await isEmpty(farmer)).toBe(false);
    await put(`/products/${second}`, farmer, { availableUntil: dayFromNow(-1) });
    expect(await isEmpty(farmer)).toBe(false);
    await put(`/products/${first}`, farmer, { availableUntil: dayFromNow(-3) });
    expect(await isEmpty(farmer)).toBe(true);
    await put(`/products/${first}`, farmer, { availableUntil: null });
    expect(await isEmpty(farmer)).toBe(false);
  });

  it('has its only product hidden, until it is shown again', async () => {
    const farmer = await market.join('farmer');
    const product = await sell(farmer);
    await put(`/products/${product}/hiding`, admin, { hidden: true, reason: 'Spoilt' });
    expect(await isEmpty(farmer)).toBe(true);
    await put(`/products/${product}/hiding`, admin, { hidden: false });
    expect(await isEmpty(farmer)).toBe(false);
  });

  it('is not one that is suspended, and sells again afterwards what it sold', async () => {
    const [sells, empty] = [await market.join('farmer'), await market.join('farmer')];
    await sell(sells);
    for (const farmer of [sells, empty]) {
      await put(`/users/${farmer.id}/suspension`, admin, { suspended: true });
    }
    expect(await emptyFarms()).not.toEqual(expect.arrayContaining([sells.id]));
    expect(await emptyFarms()).not.toEqual(expect.arrayContaining([empty.id]));
    for (const farmer of [sells, empty]) {
      await put(`/users/${farmer.id}/suspension`, admin, { suspended: false });
    }
    expect(await isEmpty(sells)).toBe(false);
    expect(await isEmpty(empty)).toBe(true);
  });

  it('is found when its last two products are withdrawn at once', async () => {
    for (let round = 0; round < 10; round++) {
      const farmer = await market.join('farmer');
      const [one, other] = [await sell(farmer), await sell(farmer)];
      const answers = await Promise.all([
        put(`/products/${one}`, farmer, { isActive: false }),
        market.delete(`/products/${other}`, farmer),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await isEmpty(farmer)).toBe(true);
    }
  });

  it('is found after any changes, at once and one after the other', async () => {
    const farmers = [await market.join('farmer'), await market.join('farmer')];
    const products: { id: string; farmer: Caller }[] = [];
    const day = fc.option(fc.integer({ min: -2, max: 2 }).map(dayFromNow));
    const step = fc.oneof(
      fc.record({ sell: fc.nat({ max: 1 }), isActive: fc.boolean(), availableUntil: day }),
      fc.record({ change: fc.nat(), isActive: fc.boolean(), availableUntil: day }),
      fc.record({ hide: fc.nat(), hidden: fc.boolean() }),
      fc.record({ remove: fc.nat() }),
      fc.record({ switch: fc.nat({ max: 1 }), to: fc.boolean() }),
    );
    /** Kinds of changes that took effect; one that is always refused would test nothing. */
    const done = new Set<string>();
    const note = (kind: string, { status }: { status: number }) => {
      if (status === 200) done.add(kind);
    };
    const pick = (which: number) => products[which % products.length];
    const take = async (each: typeof step extends fc.Arbitrary<infer Step> ? Step : never) => {
      if ('sell' in each) {
        const farmer = farmers[each.sell] as Caller;
        const { availableUntil, isActive } = each;
        products.push({ id: await sell(farmer, { availableUntil, isActive }), farmer });
        return;
      }
      if ('switch' in each) {
        // Several rows in one statement; those that are gone or hidden are refused each for itself.
        const farmer = farmers[each.switch] as Caller;
        const changes = products
          .filter((product) => product.farmer === farmer)
          .slice(-4)
          .map(({ id }) => ({ product: id, isActive: each.to }));
        if (changes.length === 0) return;
        const answer = await put('/products/stock', farmer, { changes });
        expect(answer.status).toBe(200);
        const results: object[] = answer.body.data;
        if (results.filter((result) => 'product' in result).length > 1) done.add('switch');
        return;
      }
      const which = 'change' in each ? each.change : 'hide' in each ? each.hide : each.remove;
      const product = pick(which);
      if (!product) return;
      const path = `/products/${product.id}`;
      if ('change' in each) {
        const { isActive, availableUntil } = each;
        note('change', await put(path, product.farmer, { isActive, availableUntil }));
      } else if ('hide' in each) {
        const body = { hidden: each.hidden, reason: each.hidden ? 'Spoilt' : '' };
        note(each.hidden ? 'hide' : 'show', await put(`${path}/hiding`, admin, body));
      } else {
        note('remove', await market.delete(path, product.farmer));
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await Promise.all(steps.map(take));
        expect((await emptyFarms()).sort()).toEqual((await emptyFarmsByProducts()).sort());
      }),
      { numRuns: 30 },
    );
    expect(products.length).toBeGreaterThan(20);
    expect([...done].sort()).toEqual(['change', 'hide', 'remove', 'show', 'switch']);
  });

  it('is found again by a recount, and where nothing was noted', async () => {
    const before = (await emptyFarms()).sort();
    await market.platform.pool.query('SELECT recount_totals()');
    expect((await emptyFarms()).sort()).toEqual(before);
    await market.platform.pool.query('DELETE FROM farm_goods');
    await market.platform.pool.query('SELECT fill_farm_goods()');
    expect((await emptyFarms()).sort()).toEqual(before);
  });

  it('is noted when a farm of twenty thousand products is taken off the market', async () => {
    const farmer = await market.join('farmer');
    const { categoryId, ...row } = await market.platform.db.product.findUniqueOrThrow({
      where: { id: await sell(farmer) },
    });
    await market.platform.pool.query(
      `INSERT INTO products (farmer_id, category_id, name, description, price_minor, unit, stock_milli,
         search_text, name_text)
       SELECT $1, $2, 'Carrots ' || n, '', 100, 'kg', 1000, 'carrots', 'carrots'
       FROM generate_series(1, 20000) n`,
      [row.farmerId, categoryId],
    );
    const { status } = await put(`/users/${farmer.id}/suspension`, admin, { suspended: true });
    expect(status).toBe(200);
    const { rows } = await market.platform.pool.query(
      `SELECT last_day::text AS day FROM farm_goods WHERE farmer_id = $1`,
      [farmer.id],
    );
    expect(rows).toEqual([{ day: '-infinity' }]);
  });
});
