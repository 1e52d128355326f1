import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { scaled, until } from '../../testing/until.ts';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import { type Answer, callApi, openDatabase, order, startLoad } from './helpers.ts';

const BUYERS = 12;
const MAILED_AT_ONCE = JSON.stringify({
  steps: [{ afterSeconds: 0, to: 'alerted', channels: ['email'] }],
  rounds: 1,
  quietHours: null,
});

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** All responses to a load. */
export interface Load {
  reads: Answer[];
  orders: Answer[];
  messages: Answer[];
  /** Stops after the running calls have finished. */
  stop: () => Promise<void>;
}

/**
 * Starts a market with two servers, a worker, one farm and a dozen consumers. Each consumer follows one server and
 * reconnects to the other.
 */
export async function openMarket(
  options: { databaseUrl?: string; redisUrl?: string; env?: Record<string, string> } = {},
) {
  const stack: Stack = await startStack({ seed: false, servers: 2, workers: 1, ...options });
  const database: pg.Pool = openDatabase(stack.databaseUrl);
  const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  // Each order is mailed at once, whatever time of day it is.
  await database.query('UPDATE farmer_profiles SET escalation = $1', [MAILED_AT_ONCE]);
  const consumers = await createUsers(stack.databaseUrl, 'consumer', BUYERS);
  const products = await createProducts(stack.databaseUrl, [farmer], 6);
  const urls = stack.servers.map(({ url }) => url) as [string, string];
  // The farmer follows both servers.
  const followers: Follower[] = [
    follow(urls, farmer.token),
    follow(urls.toReversed(), farmer.token),
    ...consumers.map(({ token }, index) => follow(index % 2 ? urls : urls.toReversed(), token)),
  ];
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0));

  // The tests interrupt a running worker, not one that is still starting.
  await until(
    'the worker to be at work',
    async () => (await database.query('SELECT FROM followers')).rowCount,
  );

  const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;

  /** Starts six consumers who read, order and send messages at both servers in turn. */
  function load(pauseMs = 30): Load {
    const reads: Answer[] = [];
    const orders: Answer[] = [];
    const messages: Answer[] = [];
    let turn = 0;
    const work = startLoad(6, pauseMs, async (client) => {
      turn++;
      const url = pick(urls, turn);
      const { token } = pick(consumers, client);
      reads.push(await callApi(url, 'GET', '/orders/consumer?limit=5', { token }));
      reads.push(await callApi(url, 'GET', `/products?limit=${1 + (turn % 20)}`));
      orders.push(await order(url, { token, product: pick(products, turn) }));
      messages.push(
        await callApi(url, 'POST', '/messages', {
          token,
          body: { _id: randomUUID(), receiver: farmer.id, content: `Word ${turn}` },
        }),
      );
    });
    return { reads, orders, messages, stop: work.stop };
  }

  /** Returns the programs that have exited. */
  const exitedPrograms = () =>
    [...stack.servers, ...stack.workers].filter(({ isRunning }) => !isRunning());

  /** Returns how many clients were disconnected at least once. */
  const disconnectedCount = () =>
    followers.filter(({ disconnects }) => disconnects.length > 0).length;

  /** Returns the ids of what was answered with 201. */
  const acceptedIds = (answers: readonly Answer[]): string[] =>
    answers.filter(({ status }) => status === 201).map(({ body }) => body.data._id as string);

  /** Waits until the farmer's clients at both servers have received these. */
  async function untilAllReceived(
    name: 'order.created' | 'message.created',
    ids: readonly string[],
  ) {
    await until(`the farmer to receive ${ids.length} × ${name} at both servers`, () =>
      ids.every((id) => followers.slice(0, 2).every((each) => each.receivedAt(name, id))),
    );
  }

  /** Returns milliseconds from a response until both of the farmer's clients had received the event. */
  const deliveryDelay = (
    name: 'order.created' | 'message.created',
    { body, askedAt, ms }: Answer,
  ) =>
    Math.max(
      0,
      ...followers.slice(0, 2).map(({ receivedAt }) => {
        const time = receivedAt(name, body.data._id);
        return time === undefined ? Number.POSITIVE_INFINITY : time - askedAt - ms;
      }),
    );

  /** Returns milliseconds until both servers accept an order again, and say that they are ready. */
  async function untilRecovered(): Promise<number> {
    const since = Date.now();
    await Promise.all(
      urls.map(async (url) => {
        await until(`${url} to accept an order`, async () => {
          const placed = await order(url, {
            token: pick(consumers, 0).token,
            product: pick(products, 0),
          });
          return placed.status === 201;
        });
        await until(
          `${url} to be ready`,
          async () => (await fetch(`${url}/readyz`)).status === 200,
        );
      }),
    );
    return Date.now() - since;
  }

  /** Prints how far the worker came and what it logged, which a failure alone does not show. */
  async function printWhatIsMissing(): Promise<void> {
    const { rows } = await database.query(
      `SELECT (SELECT json_agg(f) FROM followers f) AS followers,
         (SELECT seq FROM event_log_head) AS head,
         (SELECT json_agg(l.seq ORDER BY l.seq) FROM event_log l
          WHERE l.name = 'order.created' AND NOT EXISTS (
            SELECT FROM notifications WHERE key = 'order.placed:' || (l.data->>'_id'))) AS missing,
         (SELECT json_agg(json_build_object('query', left(query, 80), 'state', state, 'wait', wait_event))
          FROM pg_stat_activity WHERE datname = current_database()) AS activity`,
    );
    console.log(JSON.stringify(rows[0], undefined, 2));
    for (const worker of stack.workers) {
      const state = worker.isRunning() ? 'running' : 'exited';
      console.log(`Worker ${worker.pid} ${state}: ${worker.output().slice(-20_000)}`);
    }
  }

  /** A long load leaves the worker much to do. */
  const deliveredWithinMs = scaled(240_000);

  /**
   * Waits until the farmer has a notification for every order and every delivery has a final status.
   * @returns the number of deliveries by status
   */
  async function untilAllDelivered(): Promise<Record<string, number>> {
    await until(
      'a notification for every order',
      async () => {
        const { rows } = await database.query<{ isComplete: boolean }>(
          `SELECT (SELECT count(*) FROM orders) = (SELECT count(*) FROM notifications
           WHERE user_id = $1 AND kind = 'order.placed') AS "isComplete"`,
          [farmer.id],
        );
        return rows[0]?.isComplete;
      },
      deliveredWithinMs,
    ).catch(async (error: unknown) => {
      await printWhatIsMissing();
      throw error;
    });
    const byStatus = async () => {
      const { rows } = await database.query<{ status: string; count: number }>(
        `SELECT status::text, count(*)::int AS count FROM notification_deliveries
         WHERE channel <> 'in_app' GROUP BY status`,
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    };
    return until(
      'all deliveries to be final',
      async () => {
        const counts = await byStatus();
        return counts.pending || counts.sending ? undefined : counts;
      },
      deliveredWithinMs,
    );
  }

  /** Returns milliseconds until a mail was sent through the queue. */
  async function untilMailed(): Promise<number> {
    const since = new Date();
    await until('an order to be accepted', async () => {
      const response = await order(urls[0], {
        token: pick(consumers, 0).token,
        product: pick(products, 0),
      });
      return response.status === 201;
    });
    await until('a mail to be sent', async () => {
      const { rowCount } = await database.query(
        `SELECT FROM notification_deliveries
         WHERE channel = 'email' AND status = 'sent' AND sent_at > $1 LIMIT 1`,
        [since],
      );
      return rowCount === 1;
    });
    return Date.now() - since.getTime();
  }

  async function close(): Promise<void> {
    for (const follower of followers) follower.close();
    await database.end();
    await stack.close();
  }

  return {
    stack,
    database,
    urls,
    farmer,
    consumers,
    products,
    followers,
    load,
    exitedPrograms,
    disconnectedCount,
    acceptedIds,
    untilRecovered,
    untilAllReceived,
    deliveryDelay,
    untilAllDelivered,
    untilMailed,
    close,
  };
}
