import type { Transaction } from '../../prisma/client.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import type { Mail } from '../../server/platform/process/smtp.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import type { Exclusive } from '../delivery/exclusive.ts';
import type { PersonLimit } from '../delivery/postpone.ts';
import type { Planned } from '../delivery/schedule.ts';
import { applyEffects } from '../notifications/apply.ts';
import { effectsOf } from '../notifications/definitions.ts';
import { deliverEmail } from '../notifications/email.ts';
import type { Effect } from '../notifications/engine/definition.ts';
import { deliverPush } from '../notifications/engine/push.ts';
import type { PushPayload } from '../notifications/engine/push-client.ts';
import { claimAlert } from '../notifications/ordering/attention/messages.ts';
import { deliverSms } from '../notifications/sms.ts';
import { timerDefinitions } from '../timers.ts';

/** Sends what effects, events and timers cause at once, without workers, a mail server or a push service. */
export function createSender(platform: ProcessPlatform) {
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transact(platform.db, work);
  const plan = (effects: readonly Effect[]) =>
    inTransaction((tx) => applyEffects(tx, platform.env, effects));

  /** Delivers what is planned, and returns what is mailed and pushed. */
  async function deliver(planned: readonly Pick<Planned, 'id' | 'channel'>[]) {
    const [mails, pushes, texts]: [Mail[], PushPayload[], string[]] = [[], [], []];
    const run = (_: string, work: () => Promise<unknown>) => work();
    const exclusive = { run: (name, work) => run(name, work).then(() => true) } as Exclusive;
    const mailer = { send: async (each: Mail) => void mails.push(each) };
    const pushClient = { send: async (_: unknown, each: PushPayload) => void pushes.push(each) };
    const smsClient = { send: async ({ text }: { text: string }) => void texts.push(text) };
    const limit = { run } as PersonLimit;
    for (const { id, channel } of planned) {
      const attempt = { deliveryId: id, isLast: true };
      if (channel === 'email') await deliverEmail(platform, { exclusive, mailer }, attempt);
      else if (channel === 'sms') await deliverSms(platform, { exclusive, smsClient }, attempt);
      else await deliverPush(platform, { exclusive, pushClient, limit, claimAlert }, attempt);
    }
    return { mails, pushes, texts };
  }

  /** Returns what is mailed of what a call records. */
  async function mailedBy(call: () => Promise<unknown>): Promise<Mail[]> {
    const { eventLog } = platform;
    await eventLog.sequence();
    const head = await eventLog.head();
    await call();
    await eventLog.sequence();
    const events = await eventLog.read(head);
    const { mails } = await deliver(await plan(events.flatMap((event) => effectsOf(event))));
    return [...mails, ...(await mailedByTimers('attention'))];
  }

  /** Runs the timers of a kind whose time has come by `now`, and those that they set. @returns what is mailed */
  async function mailedByTimers(kind: 'order.reminder' | 'attention'): Promise<Mail[]> {
    const due = () =>
      platform.db.timer.findMany({ where: { kind, doneAt: null, dueAt: { lte: new Date() } } });
    const mails: Mail[] = [];
    for (let timers = await due(); timers.length > 0; timers = await due()) {
      for (const { key } of timers) {
        const planned = await inTransaction(async (tx) => {
          await tx.timer.update({ where: { key }, data: { doneAt: new Date() } });
          const done = await timerDefinitions(platform)[kind].run(key, tx);
          return typeof done === 'string' ? [] : done;
        });
        mails.push(...(await deliver(planned)).mails);
      }
    }
    return mails;
  }

  const sent = async (effects: readonly Effect[]) => deliver(await plan(effects));
  return { plan, deliver, sent, mailedBy, mailedByTimers };
}
