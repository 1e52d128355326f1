import { atom } from 'jotai';
import { orderChangesApi, SHARE_RULES, SHORT_REASONS } from '#contract/ordering/changes/constants';
import type { ShareShortage, ShortageResult } from '#contract/ordering/changes/order-changes';
import { QUANTITY_MAX, UNITS } from '#contract/platform/quantities/constants/units';
import { call } from '../../../platform/api/api.ts';
import { errorMessage } from '../../../platform/api/api-error.ts';
import {
  isBoolean,
  isListOf,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../../../platform/api/check.ts';
import { ownedAtom } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/session.ts';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import type { Checked } from '../../model/queued-lists.ts';

// Shortages that are being shared: each goes on when its dialog is closed, and can be taken up again when it broke off.

/** What this tab knows of a run; nothing of one that another tab, or an earlier page, began. */
export type RunState =
  | { status: 'running' }
  | { status: 'broken'; message: string }
  | { status: 'done'; result: ShortageResult };

const isQuantity = isNumberIn(0, QUANTITY_MAX);
/** One shortage that was begun here, as it was asked for. */
const isRun = isObjectOf({
  /** The id of the person who began it. */
  owner: isText,
  product: isObjectOf({
    _id: isText,
    name: isText,
    unit: isOneOf(UNITS),
    unitLabel: isUndefinedOr(isObjectOf({ one: isText, other: isText })),
    isByPiece: isBoolean,
  }),
  /** The body of the call; its `batchId` is the run's own. */
  body: isObjectOf<ShareShortage & { batchId: string }>({
    productId: isText,
    from: isText,
    to: isText,
    available: isQuantity,
    rule: isOneOf(SHARE_RULES),
    shares: isUndefinedOr(
      isListOf(
        isObjectOf({ orderId: isText, lineId: isUndefinedOr(isText), quantity: isQuantity }),
      ),
    ),
    reason: isOneOf(SHORT_REASONS),
    note: isText,
    emptiesShelf: isBoolean,
    batchId: isText,
  }),
});
export type ShortageRun = Checked<typeof isRun>;

/**
 * The runs of the signed-in person whose end they have not looked at. Kept in localStorage, so that they outlive the
 * page.
 */
export const shortageRunsAtom = ownedAtom<readonly ShortageRun[]>(
  'shortage-runs',
  isListOf(isRun),
  [],
);

/** What became of runs in this tab, by their ids. */
export const runStatesAtom = atom<ReadonlyMap<string, RunState>>(new Map());

/** The run whose dialog is open, which shows it. */
export const shownRunAtom = atom<string | null>(null);

const setState = (id: string, state: RunState): void =>
  store.set(runStatesAtom, (all) => new Map(all).set(id, state));

/** Begins a run, or goes on with one that broke off: the server does nothing twice. */
export async function runShortage(run: ShortageRun): Promise<void> {
  const id = run.body.batchId;
  if (store.get(runStatesAtom).get(id)?.status === 'running') return;
  setState(id, { status: 'running' });
  store.set(shortageRunsAtom.of(run.owner), (all) => [
    ...all.filter(({ body }) => body.batchId !== id),
    run,
  ]);
  try {
    const { data } = await call(orderChangesApi.shareShortage, { body: run.body });
    setState(id, { status: 'done', result: data });
  } catch (error) {
    setState(id, { status: 'broken', message: errorMessage(error) });
    if (store.get(shownRunAtom) !== id) toastError(error);
  }
}

/** Dismisses a run whose end somebody has seen, or that they want no more of. */
export function dismissRun(id: string): void {
  store.set(shortageRunsAtom, (all) => all.filter(({ body }) => body.batchId !== id));
  store.set(runStatesAtom, (all) => {
    const rest = new Map(all);
    rest.delete(id);
    return rest;
  });
}
