import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';

/** Returns the order of an `order.updated` event in the form of a fetched order, without `change`. */
export const withoutChange = ({ change: _, ...order }: UpdatedOrder): Order => order;
