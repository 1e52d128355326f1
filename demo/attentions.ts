import { DEFAULT_PLAN } from '#contract/ordering/attention/constants';
import type { Prisma } from '../prisma/generated/client.ts';
import { stepsOf } from '../server/ordering/attention/policy.ts';
import { timerOf } from '../server/ordering/attention/write.ts';
import { farmIdOf, idOf } from './data/farms.ts';
import { staff } from './data/staff.ts';
import type { makeNotifications } from './notifications.ts';
import type { DemoOrder } from './orders.ts';
import { after, before, HOUR_MS, MINUTE_MS } from './times.ts';

/** Somebody of the first farm is on its latest order; these farms have left so many of theirs unanswered. */
const [answering] = staff;
const LEFT_UNANSWERED = 2;

// "I'm on it" holds for a day here, so that nobody who only looks around is rung.
const PLAN = { ...DEFAULT_PLAN, ackMinutes: 24 * 60 };
const STEPS = stepsOf(PLAN).length;

/** Creates what waits for an answer, with its timers: an order that somebody is on, and some that nobody answered. */
export function makeAttentions(
  orders: readonly DemoOrder[],
  notifications: ReturnType<typeof makeNotifications>,
  now: Date,
) {
  const words = new Map(notifications.map((row) => [row.key, row]));
  const waiting = orders.flatMap(({ order }) => {
    const asked = words.get(`order.placed:${order.id}`);
    return order.status === 'pending' && asked?.params ? [{ order, asked }] : [];
  });
  const farmId = farmIdOf(answering.farm);
  const taken = waiting.filter(({ order }) => order.farmerId === farmId).slice(0, 1);
  const left = waiting
    .filter(
      ({ order }) =>
        order.farmerId !== farmId && order.createdAt < before(now, (PLAN.rounds + 1) * HOUR_MS),
    )
    .slice(-LEFT_UNANSWERED);
  const nextAt = after(now, PLAN.ackMinutes * MINUTE_MS);
  const attentions = [...taken, ...left].map(({ order, asked }): Row => {
    const isTaken = order.farmerId === farmId;
    return {
      id: idOf('attention', order.id),
      ...{ farmId: order.farmerId, kind: 'order.placed', orderId: order.id, subjectId: order.id },
      ...{ plan: PLAN as object, params: asked.params as Prisma.InputJsonObject },
      ...{ link: asked.link, key: asked.key, createdAt: order.createdAt },
      ...{ begunAt: order.createdAt, roundAt: order.createdAt, step: STEPS },
      ...(isTaken
        ? {
            ...{ state: 'acknowledged' as const, round: 1, nextAt, acknowledgedAt: now },
            acknowledgedById: idOf('user', answering.email),
          }
        : {
            ...{ state: 'exhausted' as const, round: PLAN.rounds },
            exhaustedAt: after(order.createdAt, HOUR_MS),
          }),
    };
  });
  return {
    attentions,
    timers: attentions.flatMap(({ id, nextAt: dueAt }) => timerOf(id, dueAt ?? null)),
  };
}

type Row = Prisma.AttentionCreateManyInput & { id: string; nextAt?: Date };
