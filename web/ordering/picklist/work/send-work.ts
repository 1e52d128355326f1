import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { picklistApi } from '#contract/ordering/picklist/constants';
import { weightsApi } from '#contract/ordering/weights/constants';
import { call } from '../../../platform/api/api.ts';
import { ApiError, errorMessage } from '../../../platform/api/api-error.ts';
import { newId } from '../../../platform/api/new-id.ts';
import { onReturn } from '../../../platform/hooks/on-return.ts';
import { refetch } from '../../../platform/realtime/in-flight.ts';
import { userAtom } from '../../../platform/session/atoms.ts';
import { inOneTab } from '../../../platform/session/in-one-tab.ts';
import { store } from '../../../platform/session/store.ts';
import { mergePickOrder, mergePickTick } from '../events.ts';
import { picklistKeys } from '../keys.ts';
import { scopeFields } from '../queries.ts';
import { KEPT_WORK_KEY } from './is-work-kept.ts';
import {
  isBeforeConfirmed,
  isNextVersion,
  type KeptWork,
  keptWorkAtom,
  onBaseOf,
  type PackWork,
  type TickWork,
  targetOf,
  type WeighWork,
  withWork,
} from './kept-work.ts';

/** The delay before the first repeat without an answer; each further one waits twice as long. */
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** Whether the last attempt had no answer: what is kept waits for the connection. */
export const isWorkWaitingAtom = atom(false);

let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
let stopWatching: (() => void) | undefined;

/** What was confirmed last of each thing: the first of what was sent in a row, and as one that builds on it would be. */
const confirmed = new Map<string, { sent: KeptWork; next: KeptWork }>();

type Fields<Work extends KeptWork> = Omit<
  Work,
  'id' | 'owner' | 'ownerName' | 'isTried' | 'refusal'
>;
/** What somebody did, as its caller passes it. */
export type NewWork = Fields<TickWork> | Fields<PackWork> | Fields<WeighWork>;

/** Shows what somebody did at once, and sends it after what they did before, now or when the connection is back. */
export function doWork(cache: QueryClient, work: NewWork): void {
  const user = store.get(userAtom);
  if (!user) return;
  const kept = {
    ...work,
    id: newId(),
    owner: user._id,
    ownerName: user.name,
    isTried: false,
  } as KeptWork;
  // A page that shows what was done, but not yet that it is confirmed, still names the state before it.
  const last = confirmed.get(targetOf(kept));
  const based = last && isBeforeConfirmed(kept, last) ? onBaseOf(kept, last.next) : kept;
  store.set(keptWorkAtom, (all) => withWork(all, based));
  watchWork(cache);
  void sendWork(cache);
}

/** Removes what was refused, or is confirmed. */
export const dismissWork = ({ id, owner }: Pick<KeptWork, 'id' | 'owner'>): void =>
  store.set(keptWorkAtom.of(owner), (all) => all.filter((work) => work.id !== id));

const change = (
  { id, owner }: KeptWork,
  values: Partial<Pick<KeptWork, 'isTried' | 'refusal'>>,
): void =>
  store.set(keptWorkAtom.of(owner), (all) =>
    all.map((work) => (work.id === id ? { ...work, ...values } : work)),
  );

const nextWork = () => store.get(keptWorkAtom).find(({ refusal }) => refusal === undefined);

/**
 * Sends what the signed-in person did, one after the other, and repeats what has no answer. One tab at a time does it;
 * what two tabs send takes effect once.
 */
function sendWork(cache: QueryClient): Promise<void> {
  clearTimeout(retry);
  running ??= inOneTab(KEPT_WORK_KEY, () => sendAll(cache))
    .finally(() => {
      running = undefined;
    })
    .then(async () => {
      // Done after the last look, and before this.
      if (nextWork() && !store.get(isWorkWaitingAtom)) await sendWork(cache);
    });
  return running;
}

async function sendAll(cache: QueryClient): Promise<void> {
  for (;;) {
    const work = nextWork();
    if (!work) return;
    change(work, { isTried: true });
    try {
      await send(cache, work);
      dismissWork(work);
    } catch (error) {
      const isRefused = error instanceof ApiError && !error.isTemporary && error.status !== 401;
      if (!isRefused) {
        waitForConnection(cache, error);
        return;
      }
      change(work, { refusal: errorMessage(error) });
      // Somebody else may have changed it.
      refetch(cache, picklistKeys.all);
    }
    failures = 0;
    store.set(isWorkWaitingAtom, false);
  }
}

/** Sends one piece, merges the answer, and lets what follows on the same thing build on it. */
async function send(cache: QueryClient, work: KeptWork): Promise<void> {
  const options = { idempotencyKey: work.id, isKept: true };
  if (work.kind === 'tick') {
    const { productId, name, unit, isByPiece, quantity, expectedVersion } = work;
    const { data } = await call(picklistApi.tick, {
      body: { ...scopeFields(work), productId, name, unit, isByPiece, quantity, expectedVersion },
      ...options,
    });
    mergePickTick(cache, data);
    confirm(work, { ...work, expectedVersion: data.version });
    return;
  }
  const { orderId } = work;
  const { data } =
    work.kind === 'pack'
      ? await call(picklistApi.pack, {
          params: { id: orderId },
          body: {
            packing: work.packing,
            crates: work.crates,
            expectedVersion: work.expectedVersion,
          },
          ...options,
        })
      : await call(weightsApi.weigh, {
          params: { id: orderId, lineId: work.lineId },
          body: {
            ...(work.weights.length === 1 ? { packed: work.weights[0] } : { pieces: work.weights }),
            expectedPacked: work.expectedPacked,
          },
          ...options,
        });
  mergePickOrder(cache, data);
  if (work.kind === 'pack') {
    confirm(work, { ...work, expectedVersion: data.version });
    return;
  }
  // Packing goes on naming the version it was seen at: a weight's answer has whatever else changed before it, too. What
  // somebody weighed themselves, the server knows.
  const packed = data.items.find(({ _id }) => _id === work.lineId)?.packed;
  confirm(work, { ...work, expectedPacked: packed ?? null });
}

/** What this person does on the same thing builds on what was just confirmed, whether it waits already or comes later. */
function confirm(sent: KeptWork, next: KeptWork): void {
  const target = targetOf(sent);
  const last = confirmed.get(target);
  // Own versions in a row count as one, because a page may be several behind.
  const first = last && isNextVersion(sent, last.next) ? last.sent : sent;
  confirmed.set(target, { sent: first, next });
  store.set(keptWorkAtom.of(sent.owner), (all) =>
    all.map((work) => (work.isTried || targetOf(work) !== target ? work : onBaseOf(work, next))),
  );
}

function waitForConnection(cache: QueryClient, error: unknown): void {
  store.set(isWorkWaitingAtom, true);
  const askedMs = ((error instanceof ApiError && error.retryAfter) || 0) * 1_000;
  const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures++, MAX_RETRY_DELAY_MS);
  clearTimeout(retry);
  retry = setTimeout(() => void sendWork(cache), Math.max(askedMs, delayMs));
}

/**
 * Sends what is kept, now and whenever the connection is back, on whatever page. Once is enough; an account that signs
 * in later is served too.
 */
export function watchWork(cache: QueryClient): void {
  if (stopWatching) return;
  const sendNow = () => {
    failures = 0;
    void sendWork(cache);
  };
  const stopReturn = onReturn(sendNow);
  const stopUser = store.sub(userAtom, sendNow);
  stopWatching = () => {
    stopReturn();
    stopUser();
    clearTimeout(retry);
    confirmed.clear();
    stopWatching = undefined;
  };
  sendNow();
}

/** Stops what {@link watchWork} began, for tests. */
export const stopWatchingWork = (): void => stopWatching?.();
