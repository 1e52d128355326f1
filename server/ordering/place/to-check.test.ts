import { afterAll, expect, it, test } from 'vitest';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { createOrderFixture } from '../testing/fixture.ts';
import { decide, farm, order as orderOf, pickup } from '../testing/placing.ts';

const fixture = await createOrderFixture();
const { farmer, consumer, admin } = fixture;
afterAll(() => fixture.close());

/** Returns what the farm looks at before it accepts an order. */
function checksOf(order: PlaceOrder, over: Parameters<typeof farm>[0] = {}) {
  const decision = decide({ farm: farm({ acceptsDelivery: true, ...over }) }, order);
  if (!('plan' in decision)) throw new Error(JSON.stringify(decision));
  const { isOwnPlace, isAreaOpen } = decision.plan;
  return { isOwnPlace, isAreaOpen };
}

test.each([
  ['1 Mill Lane, Ashford, VT 05001', false],
  ['1 mill lane ashford VT 05001', false],
  ['Green Valley', false],
  ['Fern', false],
  ['My house please', true],
])('a pickup at %j is at a place of its own: %s', (location, isOwnPlace) => {
  const order = orderOf({ pickupDetails: { ...pickup(), location } });
  expect(checksOf(order)).toEqual({ isOwnPlace, isAreaOpen: false });
});

const address = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
test.each([
  [undefined, [], true],
  [true, [], false],
  [undefined, ['Ashford'], false],
])(
  'a delivery that is said to be near: %s, where the farm lists %j, is open: %s',
  (isAreaConfirmed, deliveryAreas, isAreaOpen) => {
    const { date, time } = pickup();
    const deliveryDetails = { address, date, time, isAreaConfirmed };
    const order = orderOf({ pickupDetails: undefined, deliveryDetails });
    expect(checksOf(order, { deliveryAreas })).toEqual({ isOwnPlace: false, isAreaOpen });
  },
);

it('is on the order, and keeps it from being accepted with all others', async () => {
  await fixture.platform.db.farmerProfile.upsert({
    where: { userId: farmer.id },
    create: { userId: farmer.id, farmName: 'Green Valley' },
    update: { farmName: 'Green Valley' },
  });
  const product = await fixture.createProduct(100);
  const place = async (location: string) => {
    const pickupDetails = {
      date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
      time: '10:00',
      location,
    };
    const { body } = await fixture.order([{ product, quantity: 1 }], { over: { pickupDetails } });
    return body.data;
  };
  const [own, usual] = [await place('My house please'), await place('green valley')];
  expect([own.toCheck, usual.toCheck]).toEqual([['own_place'], undefined]);
  const seen = async (id: string) => (await fixture.get(`/orders/${id}`, farmer)).body.data;
  expect((await seen(own._id)).toCheck).toEqual(['own_place']);

  const accept = async (body: object, as = farmer) =>
    (await fixture.put('/orders/status', as, { status: 'accepted', ...body })).body.data.map(
      (each: { code?: string; order?: { status: string } }) => each.code ?? each.order?.status,
    );
  const ids = [own._id, usual._id];
  expect(await accept({ ids })).toEqual(['CHECK_FIRST', 'accepted']);
  expect(await accept({ ids }, admin)).toEqual(['CHECK_FIRST', 'accepted']);
  // Somebody looked at it.
  expect(await accept({ ids, checked: [own._id] })).toEqual(['accepted', 'accepted']);
  // Of one that is sent alone there is no doubt, nor of a rejection.
  expect(await accept({ ids: [(await place('My house please'))._id] })).toEqual(['accepted']);
  const more = [await place('My house please'), await place('My house please')];
  expect(await accept({ ids: more.map(({ _id }) => _id), status: 'rejected' })).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(
    (await fixture.changeStatus((await place('A bridge'))._id, 'accepted', consumer)).status,
  ).toBe(409);
});
