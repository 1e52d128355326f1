import { afterAll, expect, test } from 'vitest';
import { findTransition, partyTo } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { room } from '#contract/platform/events/constants';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { writeMessage } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { presentProduct, productInclude } from '../../catalogue/products/present.ts';
import { type AppError, conflict, notFound } from '../../platform/http/errors.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { orderInclude, presentOrder } from '../model/present.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { changeOrderStatus } from './change-status.ts';

interface ExpectedEvent {
  name: string;
  rooms: readonly string[];
  data: unknown;
}
type Outcome = { order: Order; events: ExpectedEvent[] } | { refused: [string, string] };

// The reference implementation: one simple statement after the other, right only while nobody else
// changes the order. Changing a status must agree with it on every change.
async function changeByReference(
  tx: Transaction,
  user: SessionUser,
  id: string,
  status: OrderStatus,
  reason: string | undefined,
): Promise<{ order: Order; events: ExpectedEvent[] }> {
  const before = await tx.order.findUnique({ where: { id }, include: orderInclude });
  const party = before && partyTo(before, user);
  if (!before || !party) throw notFound('Order not found');
  if (before.status === status) return { order: presentOrder(before), events: [] };
  const transition = findTransition(before.status, status, party);
  if (!transition) {
    throw conflict(
      'TRANSITION_NOT_ALLOWED',
      `This order is ${before.status}, so it can't become ${status}.${
        before.status === 'pending' && status === 'completed'
          ? ' Accept it first, then complete it.'
          : ''
      }`,
    );
  }
  const version = before.version + 1;
  await tx.order.update({ where: { id }, data: { status, version } });
  await tx.orderTimelineEntry.create({
    data: {
      orderId: id,
      sequence: (before.timeline.at(-1)?.sequence ?? 0) + 1,
      version,
      status,
      byId: user.id,
      reason: reason ?? null,
    },
  });
  const order = presentOrder(
    await tx.order.findUniqueOrThrow({ where: { id }, include: orderInclude }),
  );
  const events: ExpectedEvent[] = [
    {
      name: 'order.updated',
      data: { ...order, change: { kind: 'status', from: before.status, to: status } },
      rooms: [room.farm(before.farmerId), room.user(before.consumerId), room.admins],
    },
  ];
  if (!transition.returnsStock) return { order, events };
  const lines = before.lines
    .flatMap(({ productId, quantityMilli }) => (productId ? [{ productId, quantityMilli }] : []))
    .sort((one, other) => (one.productId < other.productId ? -1 : 1));
  for (const { productId, quantityMilli } of lines) {
    const row = await tx.product.update({
      where: { id: productId },
      data: { stockMilli: { increment: quantityMilli }, version: { increment: 1 } },
      include: productInclude,
    });
    events.push({
      name: 'product.updated',
      data: presentProduct(row),
      rooms: row.isActive
        ? [room.product(row.id), room.farm(row.farmerId)]
        : [room.farm(row.farmerId), room.admins],
    });
  }
  return { order, events };
}

class Undo extends Error {}

const refused = (thrown: unknown): Outcome => {
  const { code, sentence } = thrown as AppError;
  return { refused: [code, writeMessage(sentence)] };
};

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

async function byReference(...change: [SessionUser, string, OrderStatus, string | undefined]) {
  let outcome: Outcome | undefined;
  try {
    await fixture.platform.db.$transaction(async (tx) => {
      outcome = await changeByReference(tx, ...change);
      throw new Undo();
    });
  } catch (thrown) {
    if (!(thrown instanceof Undo)) return refused(thrown);
  }
  if (!outcome) throw new Error('The reference implementation has no outcome');
  return outcome;
}

async function byService(
  user: SessionUser,
  id: string,
  status: OrderStatus,
  reason: string | undefined,
): Promise<Outcome> {
  const head = await fixture.head();
  try {
    const order = await changeOrderStatus(fixture.platform, user, id, {
      status,
      ...(reason === undefined ? {} : { reason }),
    });
    return { order, events: await fixture.eventsAfter(head) };
  } catch (thrown) {
    expect(await fixture.eventsAfter(head)).toEqual([]);
    return refused(thrown);
  }
}

/** The same but for the moment of the change. */
function comparable(outcome: Outcome): unknown {
  if ('refused' in outcome) return outcome;
  const moment = outcome.order.timeline.at(-1)?.at;
  return JSON.parse(JSON.stringify(outcome), (_, value) => (value === moment ? 'then' : value));
}

const WAYS: Record<OrderStatus, OrderStatus[]> = {
  pending: [],
  accepted: ['accepted'],
  rejected: ['rejected'],
  completed: ['accepted', 'completed'],
  cancelled: ['cancelled'],
};

test.each(ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const)))(
  'from %s to %s does what the reference implementation does, for everyone',
  async (from, to) => {
    const stranger = await fixture.join('farmer');
    for (const caller of [fixture.consumer, fixture.farmer, fixture.admin, stranger]) {
      const products = [
        await fixture.createProduct(10),
        await fixture.createProduct(7),
        await fixture.createProduct(5),
      ];
      const { _id } = await fixture.placeOrder(
        products.map((product) => ({ product, quantity: 2 })),
      );
      for (const step of WAYS[from]) await fixture.changeStatus(_id, step, fixture.farmer);
      // Of one product nobody but its farmer knows any more, and one is gone.
      await fixture.platform.db.product.update({
        where: { id: products[1] ?? '' },
        data: { isActive: false },
      });
      await fixture.platform.db.product.delete({ where: { id: products[2] ?? '' } });
      const user = {
        id: caller.id,
        role: caller.role,
        name: caller.name,
        sessionId: '',
        language: null,
        membership: caller.role === 'farmer' ? { farmId: caller.id, role: 'owner' as const } : null,
      };
      const reason = to === 'rejected' ? 'The frost came "early" — 🥶 <b>' : undefined;
      const expected = await byReference(user, _id, to, reason);
      expect(comparable(await byService(user, _id, to, reason))).toEqual(comparable(expected));
    }
  },
);
