import { expectTypeOf, it } from 'vitest';
import type { Category } from '#contract/catalogue/categories/categories';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { FarmerStats, Order } from '#contract/ordering/orders/orders';
import { type AnswerOf, call } from './api.ts';

/** Checked by the compiler; never executed. */
const calls = {
  answers: () => {
    expectTypeOf(call(ordersApi.detail, { params: { id: '1' } })).resolves.toEqualTypeOf<{
      success: true;
      data: Order;
    }>();
    expectTypeOf<AnswerOf<typeof ordersApi.farmerStats>['data']>().toEqualTypeOf<FarmerStats>();
    expectTypeOf<AnswerOf<typeof productsApi.list>['data']>().toEqualTypeOf<Product[]>();
    expectTypeOf<AnswerOf<typeof categoriesApi.list>['data']>().toEqualTypeOf<Category[]>();
    expectTypeOf<AnswerOf<typeof categoriesApi.list>['nextCursor']>().toEqualTypeOf<
      string | null
    >();
  },
  inputs: () => {
    void call(categoriesApi.list);
    void call(productsApi.list, { query: { limit: 8, cursor: null, search: undefined } });
    void call(ordersApi.updateStatus, { params: { id: '1' }, body: { status: 'accepted' } });
    // @ts-expect-error a path without its parameter
    void call(ordersApi.updateStatus, { body: { status: 'accepted' } });
    // @ts-expect-error a call without the body it needs
    void call(ordersApi.updateStatus, { params: { id: '1' } });
    // @ts-expect-error no input where one is required
    void call(ordersApi.detail);
    // @ts-expect-error a parameter of another name
    void call(ordersApi.detail, { params: { orderId: '1' } });
    // @ts-expect-error a value that the field cannot have
    void call(ordersApi.updateStatus, { params: { id: '1' }, body: { status: 'lost' } });
    // @ts-expect-error a field that the body does not have
    void call(categoriesApi.create, { body: { name: 'Roots', colour: 'red' } });
    // @ts-expect-error a query parameter that the endpoint does not know
    void call(productsApi.list, { query: { farm: '1' } });
    // @ts-expect-error a query parameter of another type
    void call(productsApi.list, { query: { limit: 'all' } });
    // @ts-expect-error a body where none is taken
    void call(productsApi.list, { body: {} });
  },
  routes: () => {
    // @ts-expect-error a path that no endpoint has
    void call({ method: 'GET', path: '/orders/latest' });
    // @ts-expect-error a method that the path does not know
    void call({ method: 'DELETE', path: '/orders/:id' });
    // @ts-expect-error a route that the feature does not have
    void call(ordersApi.remove);
  },
};

it('compiles only what the contract allows', () => {
  expectTypeOf(calls).toBeObject();
});
