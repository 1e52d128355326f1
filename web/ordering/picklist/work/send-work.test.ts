// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createQueryClient } from '../../../platform/queries/query-client.ts';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  stubNetwork,
} from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { doWork, type NewWork, queuedWorkAtom, stopWatchingWork } from './send-work.ts';

const farmer = aUser('farmer', 'Finn Grower');
const productId = '00000000-0000-4000-8000-000000000001';

const cache = createQueryClient();
/** Does something, and waits until the server has confirmed all. */
const doAndWait = async (...works: NewWork[]) => {
  for (const work of works) doWork(cache, work);
  await vi.waitFor(() => expect(store.get(queuedWorkAtom)).toEqual([]));
};

const confirmTick = ({ body }: Call): Reply => {
  const { expectedVersion, ...tick } = body as { expectedVersion: number };
  const by = { _id: farmer._id, name: farmer.name };
  const data = { ...tick, version: expectedVersion + 1, by, at: '2026-11-27T10:00:00.000Z' };
  return { status: 200, body: { success: true, data } };
};

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  stopWatchingWork();
  store.set(queuedWorkAtom, []);
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

const versionsOf = (calls: readonly Call[]) =>
  calls.map(({ body }) => (body as { expectedVersion?: number }).expectedVersion);

it('builds on what was just confirmed, even for a page that does not show it yet', async () => {
  const calls = stubNetwork({ 'PUT /farm/picklist/ticks': confirmTick });
  const tick = (quantity: number, expectedVersion: number): NewWork => ({
    kind: 'tick',
    date: '2026-11-28',
    place: null,
    productId,
    name: 'Carrots',
    unit: 'lb',
    isByPiece: false,
    quantity,
    expectedVersion,
    label: 'Carrots',
  });
  await doAndWait(tick(1, 0));
  // A press before the page was rendered again: it names the version from before the first.
  await doAndWait(tick(2, 0));
  // What somebody else made of it meanwhile stands as it is.
  await doAndWait(tick(3, 7));
  expect(versionsOf(calls)).toEqual([0, 1, 7]);
});

it('packs on what it has packed itself, and on nothing else that came meanwhile', async () => {
  const order = anOrder(1);
  const lineId = order.items[0]?._id ?? '';
  let { version } = order;
  // Each answer is a version on, as the server's are.
  const confirm = (): Reply => {
    version++;
    const data: Order = { ...order, status: 'accepted', version };
    return { status: 200, body: { success: true, data } };
  };
  const calls = stubNetwork({
    [`PUT /orders/${order._id}/packing`]: confirm,
    [`PUT /orders/${order._id}/lines/${lineId}/weight`]: confirm,
  });
  const pack = (crates: number, expectedVersion: number): NewWork => ({
    kind: 'pack',
    orderId: order._id,
    packing: 'packing',
    crates,
    lots: [],
    expectedVersion,
    label: 'The order',
  });
  const weight: NewWork = {
    kind: 'weigh',
    orderId: order._id,
    lineId,
    weights: [1.8],
    expectedPacked: null,
    label: 'The weight',
  };
  const first = version;
  // Packed before the weight has an answer: whatever else its answer has, nobody has seen when they packed.
  await doAndWait(weight, pack(1, first));
  // Both pressed again at once, on a page that shows neither, or the weight alone.
  await doAndWait(pack(2, first));
  await doAndWait(pack(3, first + 1));
  // What somebody else did since is news.
  version += 4;
  await doAndWait(pack(4, version));
  const packed = calls.filter(({ path }) => path.endsWith('/packing'));
  expect(versionsOf(packed)).toEqual([first, first + 2, first + 3, first + 8]);
});
