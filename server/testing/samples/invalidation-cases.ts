import { randomUUID } from 'node:crypto';
import type { Role } from '#contract/platform/http/http';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { setupToken } from '../../admin/setup/service.ts';
import { setUpInput } from '../../admin/setup/testing/input.ts';
import { type Answer, type Caller, orderInput, productInput, type TestMarket } from '../market.ts';
import { makePlace, placeInput } from '../slots.ts';

/** Prepares the entities of one write, before the cache is filled. @returns the write */
export type InvalidationCase = () => Promise<() => Promise<Answer>>;

/**
 * Returns what else writes may change in public reads, besides the valid call of each that `samples.ts` has, by
 * `METHOD /path`. `own` are the people of those samples. Await `prepare` before any case, and call `reset` before each.
 */
export function createInvalidationCases(market: TestMarket, own: Record<Role, Caller>) {
  /** The category, and the products and farms, that are read one by one; a case adds its own. */
  const read = { category: '', products: [] as string[], farms: [] as string[] };

  const post = (path: string, as: Caller | undefined, body?: unknown) =>
    market.call('POST', path, { as, body });
  const { put } = market;
  const remove = (path: string, as: Caller, body?: unknown) =>
    market.call('DELETE', path, { as, body });

  const saveFarm = (as: Caller, over: Record<string, unknown>) =>
    put('/users/farmers/profile', as, { farmName: 'Green Valley', description: 'Soil.', ...over });

  async function newCategory(): Promise<string> {
    const { body } = await post('/categories', own.admin, { name: randomUUID() });
    return body.data._id;
  }

  async function newFarmer(): Promise<Caller> {
    const farmer = await market.join('farmer');
    read.farms.push(farmer.id);
    return farmer;
  }

  async function newProduct(as = own.farmer, over: Record<string, unknown> = {}): Promise<string> {
    const { body } = await post('/products', as, productInput(read.category, over));
    read.products.push(body.data._id);
    return body.data._id;
  }

  async function newOrder(product: string, quantity = 50, as = own.consumer): Promise<string> {
    const { body } = await post('/orders', as, orderInput(own.farmer.id, [{ product, quantity }]));
    return body.data._id;
  }

  const changeProduct =
    (change: Record<string, unknown>, before: Record<string, unknown> = {}): InvalidationCase =>
    async () => {
      const product = await newProduct(own.farmer, before);
      return () => put(`/products/${product}`, own.farmer, change);
    };

  /** A change of status of an order for all of a product's stock. */
  const changeStatus =
    (status: string, by: 'consumer' | 'farmer' | 'admin'): InvalidationCase =>
    async () => {
      const order = await newOrder(await newProduct());
      return () => put(`/orders/${order}`, own[by], { status });
    };

  /** A write that no public read shows. */
  const unrelated =
    (write: () => Promise<Answer>): InvalidationCase =>
    async () =>
      write;

  /** A change of a pickup place, of a farm that has one. */
  const changePlace =
    (change: Record<string, unknown> | null): InvalidationCase =>
    async () => {
      const farmer = await newFarmer();
      await newProduct(farmer);
      const path = `/farm/places/${await makePlace(market, farmer)}`;
      return () => (change ? put(path, farmer, change) : remove(path, farmer));
    };

  const account = (role: Role) => ({
    name: 'Somebody New',
    email: `${randomUUID()}@farmgate.test`,
    password: 'password123',
    role,
    phone: '555-0100',
    address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
  });

  const cases: Record<string, Record<string, InvalidationCase>> = {
    'POST /auth/register': {
      'a consumer': unrelated(() => post('/auth/register', undefined, account('consumer'))),
      'a farmer': unrelated(() => post('/auth/register', undefined, account('farmer'))),
    },
    'POST /users/addresses': {
      'a preferred one of a founder': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        const address = { street: '7 Oak Street', city: 'Putney' };
        return () => post('/users/addresses', farmer, { address, isPreferred: true });
      },
    },
    'DELETE /users/me': {
      'a farmer': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () => remove('/users/me', farmer, { password: 'password123' });
      },
    },
    'PUT /users/farmers/profile': {
      'a name': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () => saveFarm(farmer, { farmName: 'Aster Farm' });
      },
      'what it offers': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () => saveFarm(farmer, { acceptsPickup: false, acceptsDelivery: true });
      },
      'its position': async () => {
        const farmer = await newFarmer();
        return () => saveFarm(farmer, { position: { latitude: 33.7, longitude: 73.1 } });
      },
      'a description': unrelated(() => saveFarm(own.farmer, { description: randomUUID() })),
      // Of a farm that nobody orders from: its other days are closed.
      'the hours': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () =>
          saveFarm(farmer, { businessHours: { monday: { open: '08:00', close: '12:00' } } });
      },
    },
    'POST /setup': {
      'a market without an admin': async () => {
        const { user } = market.platform.db;
        const { currency, locale, timeZone } = DEFAULT_MARKET;
        const settings = { name: `Market ${randomUUID().slice(0, 8)}`, currency, locale, timeZone };
        const body = setUpInput({ token: setupToken(market.env), market: settings });
        const admins = await user.findMany({ where: { role: 'admin' }, select: { id: true } });
        const setRole = (role: Role) =>
          user.updateMany({ where: { id: { in: admins.map(({ id }) => id) } }, data: { role } });
        return async () => {
          await setRole('consumer');
          const answer = await post('/setup', undefined, body);
          await setRole('admin');
          return answer;
        };
      },
    },
    'PUT /users/farmers/:id/approval': {
      'a draft is approved': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        const data = { approvedAt: null };
        await market.platform.db.farmerProfile.update({ where: { userId: farmer.id }, data });
        return () => put(`/users/farmers/${farmer.id}/approval`, own.admin, { approved: true });
      },
      'a farm leaves the market': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        const { marketSettings } = market.platform.db;
        const setApproving = (approvesFarms: boolean) =>
          marketSettings.update({ where: { id: 1 }, data: { approvesFarms } });
        return async () => {
          await setApproving(true);
          const body = { approved: false, reason: 'No hours.' };
          const answer = await put(`/users/farmers/${farmer.id}/approval`, own.admin, body);
          await setApproving(false);
          return answer;
        };
      },
    },
    'PUT /farm/schedule': {
      'the cut-off and a closed day': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        const exceptions = [{ date: addDays(dayIn('UTC'), 3), skip: true }];
        return () =>
          put('/farm/schedule', farmer, { cutoff: { daysBefore: 2, time: '12:00' }, exceptions });
      },
      'what happens at the cut-off': unrelated(() =>
        put('/farm/schedule', own.farmer, { atCutoff: 'reject' }),
      ),
    },
    'POST /farm/places': {
      'the first with hours': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () => post('/farm/places', farmer, placeInput());
      },
    },
    'PUT /farm/places/:id': {
      'its hours': changePlace({ hours: placeInput().hours.slice(0, 2) }),
      'no hours': changePlace({ hours: [] }),
      'not active': changePlace({ isActive: false }),
      'its name': changePlace({ name: 'Red gate' }),
      'its position': changePlace({ position: { latitude: 33.7, longitude: 73.1 } }),
      'its town': changePlace({ address: { ...placeInput().address, city: 'Taxila' } }),
    },
    'DELETE /farm/places/:id': { 'the only one': changePlace(null) },
    'PUT /farm/payment': {
      'how to pay the farm': unrelated(() =>
        put('/farm/payment', own.farmer, { details: 'Ask Ann.' }),
      ),
    },
    'PUT /users/profile': {
      'a farmer': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        const address = { street: '2 Hill Road', city: 'Bath', state: 'ME', zipCode: '04530' };
        return () => put('/users/profile', farmer, { name: 'Aaron', phone: '555-0199', address });
      },
      'a consumer': unrelated(() => put('/users/profile', own.consumer, { name: 'Cleo' })),
    },
    'DELETE /users/:id': {
      'a farmer with products and orders': async () => {
        const farmer = await newFarmer();
        const product = await newProduct(farmer);
        const items = [{ product, quantity: 1 }];
        await post('/orders', own.consumer, orderInput(farmer.id, items));
        return () => remove(`/users/${farmer.id}`, own.admin);
      },
      'a consumer with a pending order': async () => {
        const consumer = await market.join('consumer');
        await newOrder(await newProduct(), 50, consumer);
        return () => remove(`/users/${consumer.id}`, own.admin);
      },
    },
    'PUT /users/:id/suspension': {
      'a farm with products': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        return () => put(`/users/${farmer.id}/suspension`, own.admin, { suspended: true });
      },
      'a farm that comes back': async () => {
        const farmer = await newFarmer();
        await newProduct(farmer);
        await put(`/users/${farmer.id}/suspension`, own.admin, { suspended: true });
        return () => put(`/users/${farmer.id}/suspension`, own.admin, { suspended: false });
      },
    },
    'PUT /categories/:id': {
      'its name': async () => {
        const id = await newCategory();
        await newProduct(own.farmer, { category: id });
        return () => put(`/categories/${id}`, own.admin, { name: randomUUID(), icon: '🥕' });
      },
    },
    'DELETE /categories/:id': {
      'a category with products': async () => {
        const id = await newCategory();
        await newProduct(own.farmer, { category: id });
        return () => remove(`/categories/${id}`, own.admin);
      },
    },
    'POST /products': {
      'an active one': unrelated(() => post('/products', own.farmer, productInput(read.category))),
      'the first of a farm': async () => {
        const farmer = await newFarmer();
        return () => post('/products', farmer, productInput(read.category));
      },
      'an inactive one': unrelated(() =>
        post('/products', own.farmer, productInput(read.category, { isActive: false })),
      ),
    },
    'PUT /products/:id': {
      'its name': changeProduct({ name: 'Golden beets' }),
      'its price': changeProduct({ price: 0.5 }),
      'its stock': changeProduct({ quantityAvailable: 7 }),
      'its last day': changeProduct({ availableUntil: '2020-01-01' }),
      'the end of its last day': changeProduct(
        { availableUntil: '2090-01-01' },
        { availableUntil: '2020-01-01' },
      ),
      'hiding it': changeProduct({ isActive: false }),
      'showing it': changeProduct({ isActive: true }, { isActive: false }),
      'its category': async () => {
        const product = await newProduct();
        const id = await newCategory();
        return () => put(`/products/${product}`, own.farmer, { category: id });
      },
    },
    'PUT /products/stock': {
      'stock, price and visibility of several': async () => {
        const [one, other, third] = [await newProduct(), await newProduct(), await newProduct()];
        const changes = [
          { product: one, quantityAvailable: 0 },
          { product: other, price: 0.75 },
          { product: third, isActive: false },
        ];
        return () => put('/products/stock', own.farmer, { changes });
      },
    },
    'PUT /products/:id/hiding': {
      'by an admin': async () => {
        const product = await newProduct();
        return () =>
          put(`/products/${product}/hiding`, own.admin, { hidden: true, reason: 'Spoilt' });
      },
      'shown again': async () => {
        const product = await newProduct();
        await put(`/products/${product}/hiding`, own.admin, { hidden: true, reason: 'Spoilt' });
        return () => put(`/products/${product}/hiding`, own.admin, { hidden: false });
      },
    },
    'DELETE /products/:id': {
      'an active one': async () => {
        const product = await newProduct();
        return () => remove(`/products/${product}`, own.farmer);
      },
      'an inactive one': async () => {
        const product = await newProduct(own.farmer, { isActive: false });
        return () => remove(`/products/${product}`, own.farmer);
      },
    },
    'POST /orders': {
      'all of the stock': async () => {
        const product = await newProduct();
        const body = orderInput(own.farmer.id, [{ product, quantity: 50 }]);
        return () => post('/orders', own.consumer, body);
      },
    },
    'PUT /orders/:id': {
      accepted: changeStatus('accepted', 'farmer'),
      rejected: changeStatus('rejected', 'farmer'),
      'cancelled by its consumer': changeStatus('cancelled', 'consumer'),
      'cancelled by an admin': changeStatus('cancelled', 'admin'),
    },
    'PUT /orders/status': {
      'several rejected': async () => {
        const ids = [await newOrder(await newProduct()), await newOrder(await newProduct(), 1)];
        return () => put('/orders/status', own.farmer, { ids, status: 'rejected' });
      },
    },
  };

  /** Makes what all cases are about. */
  async function prepare(): Promise<void> {
    read.category = await newCategory();
    await put('/market/pages/help', own.admin, { title: 'Help', body: 'Ask us.' });
    await saveFarm(own.farmer, {});
  }

  /** Leaves out what earlier cases made. */
  function reset(): void {
    read.products = [];
    read.farms = [own.farmer.id];
  }

  return { cases, read, prepare, reset, newProduct };
}
