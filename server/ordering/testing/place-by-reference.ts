import { isSamePlace } from '#contract/farm/places/constants/areas';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import type { FreePickup } from '#contract/ordering/orders/pickup';
import { room } from '#contract/platform/events/constants';
import { toMinor } from '#contract/platform/money/constants';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { presentProduct, productInclude } from '../../catalogue/products/present.ts';
import type { SizeRow } from '../../catalogue/products/sizes.ts';
import { farmPaused } from '../../farm/pause/policy.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { orderInclude, presentOrder } from '../model/present.ts';
import { type LineProblem, lineRefusal, orderRefusal } from '../model/refusal.ts';

/**
 * The reference implementation: one simple statement after the other, right only while nobody else buys. Placing an
 * order must agree with it on every cart.
 */
export async function placeByReference(
  tx: Transaction,
  consumerId: string,
  input: PlaceOrder,
): Promise<{ order: Order; events: NewEvent[] }> {
  const farmer = await tx.user.findFirst({
    where: { id: input.farmer, role: 'farmer', deletedAt: null },
    include: { farm: true },
  });
  if (!farmer) throw orderRefusal('FARMER_UNKNOWN');
  const end = farmer.farm?.pausedUntil;
  if (end && end > new Date()) throw farmPaused(end, 'UTC', new Date());
  const { deliveryDetails: delivery } = input;
  // The farms of this test have no places.
  const pickup = input.pickupDetails as FreePickup | undefined;
  if (pickup && !(farmer.farm?.acceptsPickup ?? true)) throw orderRefusal('PICKUP_NOT_OFFERED');
  if (delivery && !farmer.farm?.acceptsDelivery) throw orderRefusal('DELIVERY_NOT_OFFERED');

  const rows = await tx.product.findMany({
    where: { id: { in: input.items.map((item) => item.product) } },
  });
  const problems: LineProblem[] = [];
  const taken = new Map<string, number>();
  const lines = input.items.flatMap((item, line) => {
    const row = rows.find(({ id }) => id === item.product);
    const sizes = (row?.sizes ?? []) as SizeRow[];
    const size = sizes.find(({ id }) => id === item.size);
    const othersMilli = taken.get(item.product) ?? 0;
    const found = (...codes: LineProblem['code'][]) => {
      problems.push(
        ...codes.map((code) => ({
          ...{ line, code, size, othersMilli },
          product: row
            ? { ...row, stockMilli: Number(row.stockMilli), availableUntil: null }
            : null,
        })),
      );
      return [];
    };
    if (!row?.isActive) return found('PRODUCT_UNAVAILABLE');
    if (row.availableUntil && row.availableUntil < new Date(dayIn('UTC')))
      return found('PRODUCT_UNAVAILABLE');
    if (row.farmerId !== input.farmer) return found('OTHER_FARM');
    if (sizes.length > 0 && item.size === undefined) return found('SIZE_REQUIRED');
    if (item.size !== undefined && !size?.isActive) return found('SIZE_UNAVAILABLE');
    const priceMinor = size?.priceMinor ?? row.priceMinor;
    const isRepriced = item.price !== undefined && toMinor(item.price) !== priceMinor;
    const milli = Math.round(item.quantity * 1000);
    const stockMilli = Math.floor((milli * (size?.contentMilli ?? 1000)) / 1000);
    const leftMilli = Number(row.stockMilli) - othersMilli;
    const stepMilli = size ? 1000 : (row.stepMilli ?? 1000);
    const leastMilli = size ? (size.minimum ?? 1) * 1000 : (row.minimumMilli ?? stepMilli);
    const inStock = (each: number) => (size ? (each * size.contentMilli) / 1000 : each);
    const isSoldOut = leftMilli < inStock(leastMilli);
    const isShort = !row.isAlways && (isSoldOut || leftMilli < inStock(milli));
    const isOver = !isShort && othersMilli + stockMilli > (row.maxOrderMilli ?? 1_000_000_000);
    const isOdd = milli % stepMilli !== 0 || milli < leastMilli;
    if (!isShort && !isOver) taken.set(row.id, othersMilli + stockMilli);
    if (isRepriced || isShort || isOver || isOdd) {
      return found(
        ...(isRepriced ? (['PRICE_CHANGED'] as const) : []),
        ...(isShort ? (['OUT_OF_STOCK'] as const) : []),
        ...(isOver ? (['OVER_MAXIMUM'] as const) : []),
        ...(isOdd && !isSoldOut ? (['QUANTITY_NOT_OFFERED'] as const) : []),
      );
    }
    return [{ row, size, milli, priceMinor }];
  });
  if (problems.length > 0) throw lineRefusal(problems);
  const total = lines.reduce(
    (sum, { priceMinor, milli }) => sum + (BigInt(priceMinor) * BigInt(milli) + 500n) / 1000n,
    0n,
  );
  if (total > TOTAL_MAX_MINOR) throw orderRefusal('TOTAL_TOO_LARGE');

  const counted = rows.filter(({ id, isAlways }) => !isAlways && taken.has(id));
  for (const { id } of counted) {
    await tx.product.update({
      where: { id },
      data: { stockMilli: { decrement: taken.get(id) ?? 0 }, version: { increment: 1 } },
    });
  }
  const details = pickup ?? delivery;
  const seller = await tx.user.findUnique({ where: { id: input.farmer }, include: { farm: true } });
  const own = [formatAddress(seller), seller?.farm?.farmName ?? '', seller?.name ?? ''];
  const { id } = await tx.order.create({
    data: {
      consumerId,
      farmerId: input.farmer,
      totalMinor: total,
      paymentMethod: input.paymentMethod,
      notes: input.notes,
      isPickup: pickup !== undefined,
      date: new Date(`${details?.date}T00:00:00Z`),
      time: details?.time ?? '',
      pickupLocation: pickup?.location ?? '',
      ...delivery?.address,
      isOwnPlace: pickup !== undefined && !own.some((one) => isSamePlace(one, pickup.location)),
      isAreaOpen: delivery !== undefined && !delivery.isAreaConfirmed,
      lines: {
        create: lines.map(({ row, size, milli, priceMinor }, index) => ({
          position: index + 1,
          productId: row.id,
          name: row.name,
          image: row.images[0] ?? null,
          unit: row.unit,
          priceMinor,
          quantityMilli: milli,
          takesStock: !row.isAlways,
          ...(size
            ? { sizeId: size.id, sizeLabel: size.label, contentMilli: size.contentMilli }
            : {}),
        })),
      },
      timeline: { create: { sequence: 1, version: 1, status: 'pending', byId: consumerId } },
    },
  });
  const order = presentOrder(
    await tx.order.findUniqueOrThrow({ where: { id }, include: orderInclude }),
  );
  const stock = await tx.product.findMany({
    where: { id: { in: counted.map(({ id }) => id) } },
    include: productInclude,
    orderBy: { id: 'asc' },
  });
  const events: NewEvent[] = [
    {
      name: 'order.created',
      data: order,
      rooms: [room.farm(input.farmer), room.user(consumerId), room.admins],
    },
    ...stock.map(
      (row): NewEvent => ({
        name: 'product.updated',
        data: presentProduct(row),
        rooms: [room.product(row.id), room.farm(row.farmerId)],
      }),
    ),
  ];
  await record(tx, ...events);
  return { order, events };
}
