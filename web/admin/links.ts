/** Returns the URL of an order on the admin's orders page. */
export function adminOrderHref(order: { _id: string }): string {
  return `/admin/orders?order=${order._id}`;
}
