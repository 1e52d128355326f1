import { expect } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer } from '../../../testing/market.ts';
import { createOrderFixture } from '../../testing/fixture.ts';
import { expireProposal } from '../commands.ts';

export type ChangesFixture = Awaited<ReturnType<typeof createChangesFixture>>;

/** Starts a test market with helpers for what a farm and a consumer change of an order. */
export async function createChangesFixture(settings: Record<string, string> = {}) {
  const fixture = await createOrderFixture(settings);
  const { call, put, consumer, farmer } = fixture;

  /** Places an order of ten carrots at 2.50 and five kale at 2.00; beets at 3.00 are there too. */
  async function ordered(
    wishes: Record<string, unknown>[] = [{}, {}],
    over: Record<string, unknown> = {},
  ) {
    const carrots = await fixture.createProduct(100);
    const kale = await fixture.createProduct(100, { name: 'Kale', priceMinor: 200 });
    const beets = await fixture.createProduct(100, { name: 'Beets', priceMinor: 300 });
    const items = [
      { product: carrots, quantity: 10, ...wishes[0] },
      { product: kale, quantity: 5, ...wishes[1] },
    ];
    const { status, body } = await fixture.order(items, { over });
    expect(status, JSON.stringify(body)).toBe(201);
    return { order: body.data as Order, carrots, kale, beets };
  }

  const propose = (
    order: Pick<Order, '_id'>,
    items: unknown[],
    over: Record<string, unknown> = {},
    as = farmer,
  ): Promise<Answer> =>
    call('POST', `/orders/${order._id}/changes`, { as, body: { items, ...over } });

  /** Proposes four of the ten carrots, and two beets in the place of kale. */
  async function proposeBoth(order: Order, beets: string): Promise<Order> {
    const [carrotLine, kaleLine] = order.items;
    const { status, body } = await propose(order, [
      { lineId: carrotLine?._id, action: 'reduce', newQuantity: 4, reason: 'not_harvested' },
      {
        lineId: kaleLine?._id,
        action: 'substitute',
        substitute: { productId: beets, quantity: 2 },
        reason: 'sold_out',
      },
    ]);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  }

  /** Places the order of {@link ordered} and proposes as {@link proposeBoth}. */
  async function proposed() {
    const placed = await ordered();
    return { ...placed, made: await proposeBoth(placed.order, placed.beets) };
  }

  const changePath = ({ _id, openChange }: Order) => `/orders/${_id}/changes/${openChange?._id}`;

  const answer = (order: Order, body: unknown, as = consumer): Promise<Answer> =>
    put(`${changePath(order)}/answer`, as, body);

  const answersOf = (order: Order, answers: readonly string[]) => ({
    items: (order.openChange?.items ?? []).map(({ lineId }, index) => ({
      lineId,
      answer: answers[index],
    })),
  });

  /** Answers each line of the open proposal, and expects success. */
  async function answered(order: Order, answers: readonly string[]): Promise<Order> {
    const { status, body } = await answer(order, answersOf(order, answers));
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  }

  const withdraw = (order: Order, as = farmer): Promise<Answer> =>
    call('DELETE', changePath(order), { as });

  /** Lets the time to answer the open proposal be over. */
  const endNow = (order: Order) =>
    fixture.platform.db.orderProposal.updateMany({
      where: { id: order.openChange?._id ?? '', status: 'open' },
      data: { answerBy: new Date(Date.now() - 1000) },
    });

  /** Does what the timer of the open proposal does. */
  const expire = (order: Order) =>
    fixture.platform.db.$transaction((tx) => expireProposal(tx, order.openChange?._id ?? ''));

  const read = async ({ _id }: Pick<Order, '_id'>, as = consumer) =>
    (await call('GET', `/orders/${_id}`, { as })).body.data as Order;

  const stocksOf = (products: readonly string[]): Promise<number[]> =>
    Promise.all(products.map(fixture.stockOf));

  /** The events of an order's changes after a number. */
  const updatesOf = async ({ _id }: Pick<Order, '_id'>, after: number) =>
    (await fixture.eventsAfter(after))
      .filter(({ name, data }) => name === 'order.updated' && data._id === _id)
      .map(({ data }) => data);

  return {
    ...fixture,
    ordered,
    propose,
    proposeBoth,
    proposed,
    changePath,
    answer,
    answersOf,
    answered,
    withdraw,
    endNow,
    expire,
    read,
    stocksOf,
    updatesOf,
  };
}
