import { expect } from 'vitest';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer } from '../../testing/market.ts';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { createOrderFixture } from './fixture.ts';

export type SlotFixture = Awaited<ReturnType<typeof createSlotFixture>>;

/** Starts a test market with helpers for orders in slots; each test opens a farm of its own with `newFarm`. */
export async function createSlotFixture() {
  const fixture = await createOrderFixture();
  const { consumer } = fixture;
  const other = await fixture.join('consumer');
  let farmer = fixture.farmer;
  let product = '';

  /** Opens the farm that the other helpers are about. @returns its farmer and its one product */
  async function newFarm() {
    farmer = await fixture.join('farmer');
    product = await fixture.createProduct(1000, { farmerId: farmer.id });
    return { farmer, product };
  }

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

  return { ...fixture, other, newFarm, orderIn, placed, twoSlots, takenOf, eventsNamed };
}
