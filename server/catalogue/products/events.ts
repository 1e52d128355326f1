import { isListed } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { room } from '#contract/platform/events/constants/events';
import type { EventRoom } from '#contract/platform/events/event';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants/time';
import type { NewEvent } from '../../platform/events/event-log.ts';

/** The fields of a product that decide who may see it, in wire form. */
type ListingFields = Pick<Product, 'isActive' | 'availableUntil'>;

/** Returns whether everyone may see the product, listed or not. */
const isPublic = ({ isActive, farmer }: Pick<Product, 'isActive' | 'farmer'>): boolean =>
  isActive && !farmer.isDraft;

/** Returns the rooms that see a product; an inactive one, or a draft's, only its farmer and admins. */
export const productRooms = (
  product: Pick<Product, '_id' | 'isActive' | 'farmer'>,
): EventRoom<'product.updated'>[] => {
  const farm = room.farm(product.farmer._id);
  return isPublic(product) ? [room.product(product._id), farm] : [farm, room.admins];
};

/**
 * Returns the events of a product that was created (`before` is null) or changed. Every write to the
 * products table records these events.
 *
 * A change is sent to the product's watchers and its farmer, and to everyone when the product becomes
 * listed or unlisted. Changes of an inactive product are sent only to its farmer and admins; the gateway
 * sends everyone else only that it became hidden. Nobody else receives events of a draft farm's products.
 */
export function productEvents(before: ListingFields | null, after: Product): NewEvent[] {
  const today = dayIn(after.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE);
  // Whether the farm is a draft does not change with one of its products.
  const isOnMarket = (product: ListingFields) => !after.farmer.isDraft && isListed(product, today);
  const cameToMarket = isOnMarket(after) && (before === null || !isOnMarket(before));
  const created: NewEvent = { name: 'product.created', data: after, rooms: [room.everyone] };
  if (before === null) {
    return cameToMarket
      ? [created]
      : [{ ...created, rooms: [room.farm(after.farmer._id), room.admins] }];
  }
  const left =
    !after.farmer.isDraft &&
    ((before.isActive && !after.isActive) || (isOnMarket(before) && !isOnMarket(after)));
  const updated: NewEvent = {
    name: 'product.updated',
    data: after,
    rooms: [...productRooms(after), ...(left ? [room.everyone] : [])],
  };
  return cameToMarket ? [updated, created] : [updated];
}

/** Returns the event of a product's deletion; of a hidden one, or a draft's, only for its farmer and admins. */
export const productDeleted = (
  product: Pick<Product, 'isActive'> & { id: string; farmerId: string; isFarmDraft: boolean },
): NewEvent => ({
  name: 'product.deleted',
  data: { _id: product.id },
  rooms:
    product.isActive && !product.isFarmDraft
      ? [room.everyone]
      : [room.farm(product.farmerId), room.admins],
});

declare module '../../platform/events/event.ts' {
  interface FullData {
    'product.updated': Product;
  }
}
