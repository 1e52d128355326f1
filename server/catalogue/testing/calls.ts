import { expect } from 'vitest';
import { Product } from '#contract/catalogue/products/product';
import { type Caller, productInput, type TestMarket } from '../../testing/market.ts';

interface Farm {
  market: TestMarket;
  farmer: Caller;
  category: string;
}

/** Calls on the products of a farm that the test file opens before its tests. */
export function productCalls(farm: () => Farm) {
  return {
    async add(over: Record<string, unknown> = {}, as?: Caller): Promise<Product> {
      const { market, farmer, category } = farm();
      const { status, body } = await market.call('POST', '/products', {
        as: as ?? farmer,
        body: productInput(category, over),
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return Product.parse(body.data);
    },

    change(id: string, body: unknown, as?: Caller) {
      const { market, farmer } = farm();
      return market.call('PUT', `/products/${id}`, { as: as ?? farmer, body });
    },

    /** The names, rooms and data of what was logged since `head`. */
    async eventsSince(head: number) {
      const { eventLog } = farm().market.platform;
      await eventLog.sequence();
      const events = await eventLog.read(head);
      return events.map(({ name, rooms, data }) => ({ name, rooms, data }));
    },

    async headNow(): Promise<number> {
      const { eventLog } = farm().market.platform;
      await eventLog.sequence();
      return eventLog.head();
    },
  };
}

/** A day, as the API writes it, counted from today. */
export const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
