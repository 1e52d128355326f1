import type { Mail } from '../../server/platform/process/smtp.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import type { Caller, TestMarket } from '../../server/testing/market.ts';
import { applyEffects } from '../notifications/apply.ts';
import { effectsOf } from '../notifications/definitions.ts';
import type { PushPayload } from '../notifications/engine/push-client.ts';
import { TRIED } from '../notifications/ordering/attention/words.ts';
import { timerDefinitions } from '../timers.ts';
import { createSender } from './sender.ts';

/** A browser that push messages go to. */
export const browserOf = (name: string) => ({
  endpoint: `https://push.example.com/${name}`,
  keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) },
});

/**
 * Runs what attentions cause without workers: events and timers when a test says so, and messages as soon as they are
 * due. Time passes as the test lets it.
 */
export function createAlerts({ platform }: Pick<TestMarket, 'platform'>) {
  const { db, env, eventLog } = platform;
  const { deliver } = createSender(platform);
  /** All that was texted. */
  const texts: unknown[] = [];
  let head = 0;

  /** Lets so many seconds pass for what asks and what was sent. */
  async function pass(seconds: number): Promise<void> {
    const by = {
      attentions: [
        'created_at',
        'round_at',
        'next_at',
        'begun_at',
        'acknowledged_at',
        'seen_at',
        'exhausted_at',
      ],
    };
    const earlier = (columns: readonly string[]) =>
      columns.map((each) => `${each} = ${each} - make_interval(secs => ${seconds})`).join(', ');
    await db.$executeRawUnsafe(`UPDATE attentions SET ${earlier(by.attentions)}`);
    await db.$executeRawUnsafe(
      `UPDATE timers SET ${earlier(['due_at'])} WHERE kind = 'attention' AND done_at IS NULL`,
    );
    await db.$executeRawUnsafe(
      `UPDATE notification_deliveries SET ${earlier(['created_at', 'due_at', 'sent_at'])} WHERE attention_id IS NOT NULL`,
    );
  }

  /** Applies the events since the last time. */
  async function follow(): Promise<void> {
    await eventLog.sequence();
    const events = await eventLog.read(head);
    head = events.at(-1)?.seq ?? head;
    const effects = events.flatMap((event) =>
      effectsOf(event).map((effect) => ({ ...effect, at: new Date(event.at) })),
    );
    await transact(db, (tx) => applyEffects(tx, env, effects));
    if (events.length > 0) await follow();
  }

  /** Gives every attention that is due its turn, and sends what is due. @returns what was sent */
  async function run(): Promise<{ mails: Mail[]; pushes: PushPayload[] }> {
    await follow();
    const sent: { mails: Mail[]; pushes: PushPayload[] } = { mails: [], pushes: [] };
    for (;;) {
      const due = await db.timer.findFirst({
        where: { kind: 'attention', doneAt: null, dueAt: { lte: new Date() } },
        orderBy: { dueAt: 'asc' },
      });
      if (!due) break;
      await transact(db, async (tx) => {
        await tx.timer.update({ where: { key: due.key }, data: { doneAt: new Date() } });
        await timerDefinitions(platform).attention.run(due.key, tx);
      });
    }
    const deliveries = await db.notificationDelivery.findMany({
      where: {
        OR: [{ attentionId: { not: null } }, { key: { startsWith: TRIED } }],
        status: { in: ['pending', 'sending'] },
        dueAt: { lte: new Date() },
      },
      orderBy: { createdAt: 'asc' },
    });
    const { mails, pushes, ...more } = await deliver(deliveries);
    texts.push(...more.texts);
    sent.mails.push(...mails);
    sent.pushes.push(...pushes);
    await follow();
    return sent;
  }

  /** Lets time pass, and what is due then. */
  async function after(seconds: number) {
    await pass(seconds);
    return run();
  }

  return { pass, run, after, follow, texts };
}

/** Lets a farm be told at any hour, and of its plan what is given. */
export async function planFor(
  market: Pick<TestMarket, 'call'>,
  farmer: Caller,
  change: Record<string, unknown> = {},
): Promise<void> {
  const body = { quietHours: null, ...change };
  const { status, body: answer } = await market.call('PUT', '/farm/escalation', {
    as: farmer,
    body,
  });
  if (status !== 200) throw new Error(`The plan was not changed: ${JSON.stringify(answer)}`);
}
