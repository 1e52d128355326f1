/** Where an admin reads an order: above the list of all of them. */
export function adminOrderHref(order: { _id: string }): string {
  return `/admin/orders?order=${order._id}`;
}
