import type { QueryClient } from '@tanstack/react-query';
import { picklistApi } from '#contract/ordering/picklist/constants';
import { weightsApi } from '#contract/ordering/weights/constants';
import { call, newId } from '../../../platform/api/api.ts';
import { createOutbox, type SendContext } from '../../../platform/offline/outbox.ts';
import { refetch } from '../../../platform/realtime/in-flight.ts';
import { store, userAtom } from '../../../platform/session/session.ts';
import { PICK_WORK_KEY } from '../../model/queued-lists.ts';
import { mergePickOrder, mergePickTick } from '../events.ts';
import { picklistKeys, scopeFields } from '../queries.ts';
import {
  isBeforeConfirmed,
  isNextVersion,
  isQueuedWork,
  onBaseOf,
  type PackWork,
  type QueuedWork,
  type TickWork,
  targetOf,
  type WeighWork,
  withWork,
} from './queued-work.ts';

const outbox = createOutbox<QueuedWork>({
  key: PICK_WORK_KEY,
  isEntry: isQueuedWork,
  idOf: ({ id }) => id,
  merge: withWork,
  isSendable: ({ refusal }) => refusal === undefined,
  whileSending: () => ({ isTried: true }),
  send,
  onRefused: (_, { message }, { cache }) => {
    // Somebody else may have changed it.
    refetch(cache, picklistKeys.all);
    return { refusal: message };
  },
});

/** What the signed-in person did and is not confirmed yet, in the order in which it was done. */
export const queuedWorkAtom = outbox.entriesAtom;

export const { isWaitingAtom: isWorkWaitingAtom, watch: watchWork } = outbox;

/**
 * What was confirmed last of each thing: the first of what was sent in a row, and as one that builds on it would be.
 */
const confirmed = new Map<string, { sent: QueuedWork; next: QueuedWork }>();

type Fields<Work extends QueuedWork> = Omit<
  Work,
  'id' | 'owner' | 'ownerName' | 'isTried' | 'refusal'
>;
/** What somebody did, as its caller passes it. */
export type NewWork = Fields<TickWork> | Fields<PackWork> | Fields<WeighWork>;

/** Shows what somebody did at once, and sends it after what they did before, now or when the connection is back. */
export function doWork(cache: QueryClient, work: NewWork): void {
  const user = store.get(userAtom);
  if (!user) return;
  const entry = {
    ...work,
    id: newId(),
    owner: user._id,
    ownerName: user.name,
    isTried: false,
  } as QueuedWork;
  // A page that shows what was done, but not yet that it is confirmed, still names the state before it.
  const last = confirmed.get(targetOf(entry));
  const based = last && isBeforeConfirmed(entry, last) ? onBaseOf(entry, last.next) : entry;
  outbox.add(cache, based);
}

/** Removes what was refused. */
export const dismissWork = ({ id, owner }: QueuedWork): void => outbox.remove(id, owner);

/** Sends one piece, merges the answer, and lets what follows on the same thing build on it. */
async function send(work: QueuedWork, { cache, token }: SendContext): Promise<undefined> {
  const options = { token, idempotencyKey: work.id, isKept: true };
  switch (work.kind) {
    case 'tick': {
      const { productId, name, unit, isByPiece, quantity, expectedVersion } = work;
      const goods = { productId, name, unit, isByPiece };
      const body = { ...scopeFields(work), ...goods, quantity, expectedVersion };
      const { data } = await call(picklistApi.tick, { body, ...options });
      mergePickTick(cache, data);
      return confirm(work, { ...work, expectedVersion: data.version });
    }
    case 'pack': {
      const { orderId, packing, crates, lots, expectedVersion } = work;
      const body = { packing, crates, expectedVersion, ...(lots?.length ? { lots } : {}) };
      const { data } = await call(picklistApi.pack, { params: { id: orderId }, body, ...options });
      mergePickOrder(cache, data);
      return confirm(work, { ...work, expectedVersion: data.version });
    }
    case 'weigh': {
      const { orderId, lineId, weights, expectedPacked } = work;
      const weight = weights.length === 1 ? { packed: weights[0] } : { pieces: weights };
      const { data } = await call(weightsApi.weigh, {
        params: { id: orderId, lineId },
        body: { ...weight, expectedPacked },
        ...options,
      });
      mergePickOrder(cache, data);
      // Packing goes on naming the version it was seen at: a weight's answer has whatever else changed before it, too.
      // What somebody weighed themselves, the server knows.
      const packed = data.items.find(({ _id }) => _id === lineId)?.packed ?? null;
      return confirm(work, { ...work, expectedPacked: packed });
    }
  }
}

/**
 * What this person does on the same thing builds on what was just confirmed, whether it waits already or comes later.
 */
function confirm(sent: QueuedWork, next: QueuedWork): undefined {
  const target = targetOf(sent);
  const last = confirmed.get(target);
  // Own versions in a row count as one, because a page may be several behind.
  const first = last && isNextVersion(sent, last.next) ? last.sent : sent;
  confirmed.set(target, { sent: first, next });
  outbox.update(sent.owner, (all) =>
    all.map((work) => (work.isTried || targetOf(work) !== target ? work : onBaseOf(work, next))),
  );
}

/** Stops what {@link watchWork} began, for tests. */
export function stopWatchingWork(): void {
  outbox.stop();
  confirmed.clear();
}
