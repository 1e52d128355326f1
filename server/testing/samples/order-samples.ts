import { orderInput } from '../market.ts';
import type { Sample } from './sample.ts';
import type { createSampleRecords } from './sample-records.ts';

/** Returns a valid call of every endpoint of orders, their changes and their weights; see `createSamples`. */
export function orderSamples({
  ids,
  own,
  lineOf,
  newOrder,
  newProduct,
  newProposal,
  newShortage,
  orderToWeigh,
}: ReturnType<typeof createSampleRecords>): Record<string, Sample> {
  return {
    'POST /orders': {
      input: () => ({ body: orderInput(own.farmer.id, [{ product: ids.product, quantity: 1 }]) }),
    },
    'GET /orders/consumer': {},
    'GET /orders/farmer': {},
    'GET /orders/stats/farmer': {},
    'GET /orders/stats/farmer/pending': {},
    'GET /orders': {},
    'GET /orders/:id': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404, farmer: 404 },
    },
    'GET /orders/:id/payment': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404, farmer: 404 },
    },
    'GET /orders/:id/calendar': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404, farmer: 404 },
    },
    'POST /orders/:id/again': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404 },
    },
    'PUT /orders/status': {
      input: async () => ({ body: { ids: [await newOrder()], status: 'accepted' } }),
    },
    'PUT /orders/:id': {
      input: async (party) => ({
        id: await newOrder(),
        body: { status: party === 'consumer' ? 'cancelled' : 'accepted' },
      }),
      members: { packer: 403, seller: 403 },
      stranger: { consumer: 404, farmer: 404 },
    },

    'GET /orders/wishes': { input: () => ({ query: `products=${ids.product}` }) },
    'POST /orders/:id/changes': {
      input: async () => {
        const id = await newOrder();
        const item = { lineId: await lineOf(id), action: 'remove', reason: 'damaged' };
        return { id, body: { items: [item] } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/changes/:changeId/answer': {
      input: async () => {
        const [id, changeId, lineId] = await newProposal();
        return { id: [id, changeId], body: { items: [{ lineId, answer: 'accept' }] } };
      },
      stranger: { consumer: 404 },
    },
    'DELETE /orders/:id/changes/:changeId': {
      input: async () => ({ id: (await newProposal()).slice(0, 2) }),
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/lines/:lineId/preference': {
      input: async () => {
        const id = await newOrder();
        return { id: [id, await lineOf(id)], body: { onShort: 'leave_out' } };
      },
      stranger: { consumer: 404 },
    },
    'PUT /orders/:id/items': {
      input: async () => ({
        id: await newOrder(),
        body: { items: [{ product: ids.product, quantity: 3 }] },
      }),
      stranger: { consumer: 404 },
    },
    'POST /farm/shortages': {
      input: async () => ({
        body: {
          productId: await newProduct(),
          from: '2030-01-01',
          to: '2030-01-01',
          available: 1,
          rule: 'fair',
        },
      }),
    },
    'GET /farm/shortages/:id': {
      input: async () => ({ id: await newShortage() }),
      // Nothing is shown of another farm's.
      stranger: { farmer: 200 },
    },
    'PUT /orders/:id/lines/:lineId/weight': {
      input: async () => {
        const { id, lineId } = await orderToWeigh();
        return { id: [id, lineId], body: { packed: 1.05 } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /farm/weights': {
      input: async () => {
        const { id, lineId } = await orderToWeigh();
        return { body: { items: [{ orderId: id, lineId, pieces: [0.6, 0.45] }] } };
      },
    },
  };
}
