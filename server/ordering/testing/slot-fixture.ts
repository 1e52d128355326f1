import { expect } from 'vitest';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer, Caller } from '../../testing/market.ts';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { createOrderFixture } from './fixture.ts';

export type SlotFixture = Awaited<ReturnType<typeof createSlotFixture>>;

/** Starts a test market with helpers for orders in slots; each test opens a farm of its own with `newFarm`. */
export async function createSlotFixture() {
  const fixture = await createOrderFixture();
  const { call, consumer } = fixture;
  const other = await fixture.join('consumer');
  let farmer = fixture.farmer;
  let product = '';

  /** Opens the farm that the other helpers are about. @returns its farmer and its one product */
  async function newFarm() {
    farmer = await fixture.join('farmer');
    product = await fixture.createProduct(1000, { farmerId: farmer.id });
    return { farmer, product };
  }

  const post = (path: string, as: Caller, body: unknown) => call('POST', path, { as, body });
  const put = (path: string, as: Caller, body: unknown) => call('PUT', path, { as, body });

  const orderIn = (slotId: string, as = consumer): Promise<Answer> =>
    fixture.order([{ product, quantity: 1 }], {
      as,
      over: { farmer: farmer.id, pickupDetails: { slotId } },
    });

  /** Places an order in a slot and expects success. */
  async function placed(slotId: string, as = consumer): Promise<Order> {
    const { status, body } = await orderIn(slotId, as);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  }

  /** Two neighbouring slots of one place, from 10 and from 11 o'clock. */
  async function twoSlots(capacity: number | null = null): Promise<[FarmSlot, FarmSlot]> {
    const place = await makePlace(fixture, farmer, { name: 'The red gate' }, capacity);
    const [one, two] = await slotsAhead(fixture, farmer, place);
    if (!one || !two) throw new Error('A place has too few slots');
    return [one, two];
  }

  const takenOf = async ({ _id }: Pick<FarmSlot, '_id'>): Promise<number> =>
    (await fixture.platform.db.slot.findUniqueOrThrow({ where: { id: _id } })).taken;

  /** The data of the events of a name after a number. */
  const eventsNamed = async (after: number, name: string) =>
    (await fixture.eventsAfter(after))
      .filter((event) => event.name === name)
      .map(({ data }) => data);

  return { ...fixture, other, newFarm, post, put, orderIn, placed, twoSlots, takenOf, eventsNamed };
}
