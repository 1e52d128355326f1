/** Returns the URL of the case of an order: all that admins know of it. */
export function adminOrderHref(order: { _id: string }): string {
  return `/admin/orders/${order._id}`;
}

/** Returns the URL of a person's page for admins. */
export function adminUserHref(user: { _id: string }): string {
  return `/admin/users/${user._id}`;
}

/** Returns the URL where admins edit and hide a product. */
export function adminProductHref(product: { _id: string }): string {
  return `/admin/products/${product._id}`;
}
