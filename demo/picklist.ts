import type { Prisma } from '../prisma/generated/client.ts';
import { farmIdOf, idOf } from './data/farms.ts';
import type { DemoOrder } from './orders.ts';
import { after, before, MINUTE_MS } from './times.ts';

/** The farm that has printed the pick list of its next day with orders. */
const FARM_KEY = 'riverbend';

const acceptedAt = ({ timeline }: DemoOrder): Date | undefined =>
  timeline.find(({ status }) => status === 'accepted')?.at;

/** Returns the accepted orders of the next day on which that farm has some, by when they were accepted. */
export function ordersToPick(orders: readonly DemoOrder[]): DemoOrder[] {
  const accepted = orders
    .filter(
      ({ farm, order }) => farm.key === FARM_KEY && order.status === 'accepted' && order.slotId,
    )
    .sort((one, other) => one.order.date.getTime() - other.order.date.getTime());
  return accepted
    .filter(({ order }) => order.date.getTime() === accepted[0]?.order.date.getTime())
    .sort((one, other) => Number(acceptedAt(one)) - Number(acceptedAt(other)));
}

/** Returns the product of which everything is harvested for orders of {@link ordersToPick}. */
export const firstHarvested = (day: readonly DemoOrder[]): string | undefined =>
  day[0]?.lines[0]?.productId;

/** Creates a printed pick list, to which an order came since, with some of its goods harvested. */
export function makePicklist(orders: readonly DemoOrder[], now: Date) {
  const day = ordersToPick(orders);
  const date = day[0]?.order.date;
  const none = { pickPrints: [], pickPrintLines: [], pickTicks: [] };
  if (!date) return none;
  const farmId = farmIdOf(FARM_KEY);
  const newest = day.at(-1);
  const at = before((newest && acceptedAt(newest)) ?? now, 5 * MINUTE_MS);
  const printed = day.slice(0, -1).flatMap(({ lines }) => lines);
  const id = idOf('print', `${FARM_KEY} 1`);
  return {
    pickPrints: [{ id, farmId, date, number: 1, byId: farmId, at, seq: 0n }],
    pickPrintLines: printed.map(({ id: lineId, quantityMilli }) => ({
      printId: id,
      lineId,
      quantityMilli,
    })),
    pickTicks: ticksOf(printed, { farmId, date, byId: farmId, at: after(at, MINUTE_MS) }),
  };
}

/** Of the first of the goods all is harvested, of the second half of it. */
function ticksOf(
  lines: DemoOrder['lines'],
  common: { farmId: string; date: Date; byId: string; at: Date },
): Prisma.PickTickCreateManyInput[] {
  const sums = new Map<string, Prisma.PickTickCreateManyInput & { quantityMilli: number }>();
  for (const { productId, unit, quantityMilli } of lines) {
    const sum = sums.get(`${productId} ${unit}`)?.quantityMilli ?? 0;
    sums.set(`${productId} ${unit}`, {
      ...common,
      productId,
      unit,
      quantityMilli: sum + quantityMilli,
    });
  }
  return [...sums.values()].slice(0, 2).map((tick, index) => ({
    ...tick,
    quantityMilli: index === 0 ? tick.quantityMilli : Math.ceil(tick.quantityMilli / 2000) * 1000,
  }));
}
