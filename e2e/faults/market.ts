import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import { type Answer, ask, keepBusy, openBackDoor, order } from './ground.ts';

const BUYERS = 12;

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** What a load did: every answer, and what the market promised by them. */
export interface Load {
  reads: Answer[];
  orders: Answer[];
  messages: Answer[];
  /** Ends it, whatever was begun being finished. */
  stop: () => Promise<void>;
}

/**
 * A market with two servers, a worker, one farm and a dozen buyers, of whom each follows the market at
 * one server and knows the other.
 */
export async function openMarket(
  options: { databaseUrl?: string; redisUrl?: string; env?: Record<string, string> } = {},
) {
  const stack: Stack = await startStack({ seed: false, servers: 2, workers: 1, ...options });
  const database: pg.Pool = openBackDoor(stack.databaseUrl);
  const [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  const buyers = await makePeople(stack.databaseUrl, 'consumer', BUYERS);
  const products = await makeProducts(stack.databaseUrl, [farmer], 6);
  const urls = stack.servers.map(({ url }) => url) as [string, string];
  // The farmer sits at both.
  const followers: Follower[] = [
    follow(urls, farmer.token),
    follow(urls.toReversed(), farmer.token),
    ...buyers.map(({ token }, index) => follow(index % 2 ? urls : urls.toReversed(), token)),
  ];
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0), 60_000);

  // A worker that has hardly begun would not be one that is disturbed at its work.
  await until(
    'the worker to be at work',
    async () => (await database.query('SELECT FROM followers')).rowCount,
    60_000,
  );

  const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;

  /** Six buyers who read, order and write, at both servers in turn. */
  function load(pauseMs = 30): Load {
    const reads: Answer[] = [];
    const orders: Answer[] = [];
    const messages: Answer[] = [];
    let turn = 0;
    const work = keepBusy(6, pauseMs, async (hand) => {
      turn++;
      const url = pick(urls, turn);
      const { token } = pick(buyers, hand);
      reads.push(await ask(url, 'GET', '/orders/consumer?limit=5', { token }));
      reads.push(await ask(url, 'GET', `/products?limit=${1 + (turn % 20)}`));
      orders.push(await order(url, { token, product: pick(products, turn) }));
      messages.push(
        await ask(url, 'POST', '/messages', {
          token,
          body: { _id: randomUUID(), receiver: farmer.id, content: `Word ${turn}` },
        }),
      );
    });
    return { reads, orders, messages, stop: work.stop };
  }

  /** The programs that are no longer running. */
  const ended = () => [...stack.servers, ...stack.workers].filter(({ isRunning }) => !isRunning());

  /** How many of the sockets broke at least once. */
  const broken = () => followers.filter(({ breaks }) => breaks.length > 0).length;

  /** Ids of what was answered with 201. */
  const accepted = (answers: readonly Answer[]): string[] =>
    answers.filter(({ status }) => status === 201).map(({ body }) => body.data._id as string);

  /** Waits until these are in the table, the log and before the eyes of the farmer at both servers. */
  async function untilAllKnow(name: 'order.created' | 'message.created', ids: readonly string[]) {
    await until(
      `the farmer to hear ${ids.length} × ${name} at both servers`,
      () => ids.every((id) => followers.slice(0, 2).every((each) => each.cameAt(name, id))),
      60_000,
    );
  }

  /** Milliseconds from an answer until the last of the farmer's two clients had heard of it. */
  const delayOf = (name: 'order.created' | 'message.created', { body, askedAt, ms }: Answer) =>
    Math.max(
      0,
      ...followers.slice(0, 2).map(({ cameAt }) => {
        const came = cameAt(name, body.data._id);
        return came === undefined ? Number.POSITIVE_INFINITY : came - askedAt - ms;
      }),
    );

  /**
   * Waits until the farmer's bell rang for every order and every row of the ledger has its end.
   * @returns how many rows there are by status
   */
  async function untilSettled(withinMs = 120_000): Promise<Record<string, number>> {
    await until(
      'the bell to have rung for every order',
      async () => {
        const { rows } = await database.query<{ isEven: boolean }>(
          `SELECT (SELECT count(*) FROM orders) = (SELECT count(*) FROM notifications
           WHERE user_id = $1 AND kind = 'order.placed') AS "isEven"`,
          [farmer.id],
        );
        return rows[0]?.isEven;
      },
      withinMs,
    );
    const byStatus = async () => {
      const { rows } = await database.query<{ status: string; count: number }>(
        `SELECT status::text, count(*)::int AS count FROM notification_deliveries
         WHERE channel <> 'in_app' GROUP BY status`,
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    };
    return until(
      'everything to have gone out',
      async () => {
        const counts = await byStatus();
        return counts.pending || counts.sending ? undefined : counts;
      },
      withinMs,
    );
  }

  /** Milliseconds from now until a mail has gone out again, by way of the queue. */
  async function untilMailed(): Promise<number> {
    const since = new Date();
    await until('an order to be taken', async () => {
      const tried = await order(urls[0], {
        token: pick(buyers, 0).token,
        product: pick(products, 0),
      });
      return tried.status === 201;
    });
    await until(
      'a mail to go out',
      async () => {
        const { rowCount } = await database.query(
          `SELECT FROM notification_deliveries
           WHERE channel = 'email' AND status = 'sent' AND sent_at > $1 LIMIT 1`,
          [since],
        );
        return rowCount === 1;
      },
      90_000,
    );
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
    buyers,
    products,
    followers,
    load,
    ended,
    broken,
    accepted,
    untilAllKnow,
    delayOf,
    untilSettled,
    untilMailed,
    close,
  };
}
