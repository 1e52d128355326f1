import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { goodsKeyOf, type PickScope } from '#contract/ordering/picklist/pick-summary';
import type { PickTotal } from '#contract/ordering/picklist/picklist';
import { store } from '../../../platform/session/session.ts';
import { announce } from '../../../platform/ui/feedback/announce.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { formatPick } from '../words.ts';
import { doWork } from './send-work.ts';

/** Ticks that can be undone. */
const UNDO_MAX = 10;

type Ticked = { scope: PickScope; total: PickTotal; from: number; to: number };

/** The last ticks of this tab, the latest last. */
export const undoAtom = atom<readonly Ticked[]>([]);

/** Ticks so much of a product, so that it can be undone. */
export function tick(
  cache: QueryClient,
  scope: PickScope,
  total: PickTotal,
  quantity: number,
): void {
  if (quantity === total.ticked) return;
  write(cache, scope, total, quantity);
  store.set(undoAtom, (all) => [
    ...all.slice(1 - UNDO_MAX),
    { scope, total, from: total.ticked, to: quantity },
  ]);
}

function write(cache: QueryClient, scope: PickScope, total: PickTotal, quantity: number): void {
  const { _id, name, unit } = total.product;
  doWork(cache, {
    kind: 'tick',
    date: scope.date,
    place: scope.place,
    productId: _id,
    name,
    unit,
    isByPiece: total.isByPiece,
    quantity,
    expectedVersion: total.tickVersion,
    label: `${name}, ${formatPick(quantity, total)}`,
  });
}

/**
 * Undoes the last tick of this list. One that somebody else has changed since stays as it is.
 * @param products as they are now
 */
export function undoTick(
  cache: QueryClient,
  scope: PickScope,
  products: readonly PickTotal[],
): void {
  const isHere = (ticked: Ticked) =>
    ticked.scope.date === scope.date && ticked.scope.place === scope.place;
  const last = store.get(undoAtom).findLast(isHere);
  if (!last) return;
  store.set(undoAtom, (all) => all.filter((ticked) => ticked !== last));
  const { product } = last.total;
  // It may have been deleted since, and goes by its name then.
  const { isByPiece } = last.total;
  const keys = [product, { ...product, _id: null }].map((goods) =>
    goodsKeyOf({ product: goods, isByPiece }),
  );
  const now = products.find((other) => keys.includes(goodsKeyOf(other)));
  if (!now) return;
  if (now.ticked !== last.to) {
    toast.info(`${now.tickedBy?.name ?? 'Somebody'} has changed ${product.name} since.`);
    return;
  }
  write(cache, scope, now, last.from);
  announce(`${product.name}: ${formatPick(last.from, now)} done.`);
}
