import type { Database, Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import { lockName } from '../../platform/stores/postgres.ts';

/** Which list: of a farm's day, at one place or (null) of all. */
export interface Scope {
  farmId: string;
  date: string;
  place: string | null;
}

/** Returns the list of a request. @throws 404 not a place of the farm; one that was removed still has its lists */
export async function scopeOf(
  db: Database | Transaction,
  farmId: string,
  { date, place }: { date: string; place?: string | undefined },
): Promise<Scope> {
  if (place !== undefined) {
    const found = await db.place.findFirst({ where: { id: place, farmId }, select: { id: true } });
    if (!found) throw notFound('Place not found');
  }
  return { farmId, date, place: place ?? null };
}

/** Returns the Prisma `where` of the rows of a list. */
export const whereScope = ({ farmId, date, place }: Scope) => ({
  farmId,
  date: new Date(date),
  placeId: place,
});

/** Lets the transactions that print or tick one list run one after the other. */
export const lockScope = (tx: Transaction, { farmId, date, place }: Scope): Promise<void> =>
  lockName(tx, `picklist:${farmId}:${date}:${place ?? ''}`);

/** Returns a list as events name it. */
export const scopeFields = ({ date, place }: Scope) => ({
  date,
  ...(place === null ? {} : { place }),
});
