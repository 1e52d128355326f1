// @long It asks each endpoint in many ways.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { allRoutes } from '../../app.ts';
import { type Caller, startTestMarket } from '../market.ts';
import { type Input, pathWith } from '../samples/sample.ts';
import { createSamples } from '../samples/samples.ts';
import { startUncached } from '../samples/uncached.ts';

// Every repeatable endpoint: sent twice under one key, and several times at once to two servers, it takes
// effect once, and every answer is the first one. A new write is repeatable unless its contract says why
// not, and then fails here if it does not write in `transact` alone.

// Up before the tests are listed, since its routes are what they are listed from.
const market = await startTestMarket();
const repeatable = allRoutes(market.platform)
  .map(({ endpoint }) => endpoint)
  .filter(({ isRepeatable }) => isRepeatable);
const { samples, own, prepare } = createSamples(market);

/** Has one connection alone: a command that needs a second one beside its transaction waits forever. */

const other: Awaited<ReturnType<typeof startUncached>> = await startUncached({
  ...market.env,
  DATABASE_POOL_SIZE: 1,
});
await prepare();
afterAll(async () => {
  await other.close();
  await market.close();
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Returns a function that sends one request under one key, to either server. */
function requestOf(endpoint: Endpoint, as: Caller, input: Input) {
  const { body } = input;
  const key = randomUUID();
  return async (url = market.url) => {
    const response = await fetch(`${url}/api${pathWith(endpoint.path, input)}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${as.token}`,
        'idempotency-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
}

/** Returns the number of rows and a hash of the content of each table, once all events are numbered. */
async function readTables(): Promise<Record<string, { count: number; hash: string }>> {
  const { pool, eventLog } = market.platform;
  await eventLog.sequence();
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY name`,
  );
  const read = tables.map(async ({ name }) => {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS count, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash
       FROM "${name}" t`,
    );
    return [name, rows[0]] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Returns how many rows of each table `work` adds, and the names of the events it records. */
async function effectOf(work: () => Promise<unknown>) {
  const before = await readTables();
  const { eventLog } = market.platform;
  await eventLog.sequence();
  const head = await eventLog.head();
  await work();
  const after = await readTables();
  // Totals are spread over rows at random; triggers keep them equal to what they count.
  const added = Object.entries(after)
    .filter(([name]) => !name.endsWith('_totals'))
    .map(([name, { count }]) => [name, count - (before[name]?.count ?? 0)]);
  await eventLog.sequence();
  const events = await eventLog.read(head);
  return { added: Object.fromEntries(added), events: events.map(({ name }) => name) };
}

describe.each(repeatable.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  (name, endpoint) => {
    const role = endpoint.access[0] as Caller['role'];
    const newRequest = async () =>
      requestOf(endpoint, own[role], (await samples[name]?.input?.(role)) ?? {});

    it('takes effect once when it is sent twice', async () => {
      const send = await newRequest();
      // First to the server with one connection, so that a command that needs a second one always fails here.
      const first = await send(other.url);
      expect(first, first.text).toMatchObject({ status: endpoint.status });
      const before = await readTables();
      expect(await send(other.url)).toEqual(first);
      expect(await send()).toEqual(first);
      expect(await readTables()).toEqual(before);
    });

    it('takes effect once when it is sent several times at once, to two servers', async () => {
      const reference = await newRequest();
      const once = await effectOf(reference);
      expect(once.added.commands).toBe(1);

      const send = await newRequest();
      const answers: { status: number; text: string }[] = [];
      const effect = await effectOf(async () => {
        const urls = [market.url, other.url, market.url, other.url];
        answers.push(...(await Promise.all(urls.map(send))));
      });
      expect(answers[0]?.status).toBe(endpoint.status);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(effect).toEqual(once);
    });
  },
);
