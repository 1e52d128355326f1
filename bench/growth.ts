import { createServer } from 'node:http';
import pg from 'pg';
import { freePort, SECRET, type Stack, startStack } from '../e2e/stack.ts';
import { createListener } from '../server/app.ts';
import { createPlatform } from '../server/platform/http/platform.ts';
import { readEnv } from '../server/platform/process/env.ts';
import { call } from './call.ts';
import { fillMarket, type MeasuredPeople } from './fill-growth.ts';
import { median, percentile, ROUNDS, type Row, report, round } from './report.ts';

/**
 * Measures the p95 of the heaviest reads at each size of the market, and explains the queries of the largest. No
 * response comes from the cache.
 */
const SIZES = (process.env.BENCH_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const CALLS_PER_ROUND = 40;
/** Tables that grow and must not be scanned. */
const GROWING_TABLES = new Set([
  'users',
  'farmer_profiles',
  'products',
  'orders',
  'order_lines',
  'order_timeline',
  'messages',
  'conversations',
  'notifications',
]);

interface Read {
  as: 'consumer' | 'farmer' | 'admin' | null;
  path: (market: MeasuredPeople) => string;
  /**
   * Set for what reads all of a small market and a fixed number of rows of a large one: the longest that it may take
   * at any size, in milliseconds.
   */
  boundMs?: number;
}

const visitors = (path: string): Read => ({ as: null, path: () => path });
const bounded = (path: string, boundMs = 150): Read => ({ ...visitors(path), boundMs });
const by = (as: 'consumer' | 'farmer' | 'admin', path: string): Read => ({ as, path: () => path });

const ALL_READS: Record<string, Read> = {
  'catalogue, newest': visitors('/products?limit=24'),
  'catalogue, cheapest': visitors('/products?limit=24&sort=price-asc'),
  'catalogue, most expensive': visitors('/products?limit=24&sort=price-desc'),
  'catalogue, one category': { as: null, path: (m) => `/products?limit=24&category=${m.category}` },
  'catalogue, a common word': visitors('/products?limit=24&search=rhubarb'),
  'catalogue, a rare word': visitors('/products?limit=24&search=medlars'),
  'catalogue, a rare phrase of common words': visitors(
    '/products?limit=24&search=lot%20777%20pulled',
  ),
  'best match of a common word': bounded('/products?limit=24&sort=relevance&search=rhubarb'),
  'best match of a rare word': visitors('/products?limit=24&sort=relevance&search=medlars'),
  'best match of a word in all descriptions': bounded(
    '/products?limit=24&sort=relevance&search=morning',
  ),
  'best match of one letter': bounded('/products?limit=24&sort=relevance&search=a'),
  'products of a place': visitors('/products?limit=24&sort=relevance&search=putney'),
  'a search of punctuation alone': bounded('/products?limit=24&search=%25%25'),
  'similar to a misspelled word': visitors('/products?limit=24&sort=relevance&search=rhubrab'),
  'similar to nothing': visitors('/products?limit=24&search=qqqqzzzz'),
  'catalogue, all filters': {
    as: null,
    path: (m) =>
      `/products?limit=24&category=${m.category}&organic=true&inStock=true&orderType=delivery&minPrice=2&maxPrice=8`,
  },
  'catalogue, cheapest organic in stock': visitors(
    '/products?limit=24&sort=price-asc&organic=true&inStock=true',
  ),
  'facets of the market': visitors('/products/facets'),
  'facets of a common word': visitors('/products/facets?search=rhubarb'),
  'facets of a rare word': visitors('/products/facets?search=medlars'),
  'facets with three filters': {
    as: null,
    path: (m) => `/products/facets?category=${m.category}&organic=true&inStock=true`,
  },
  "a customer's orders": by('consumer', '/orders/consumer?limit=24'),
  "a customer's completed orders": by('consumer', '/orders/consumer?limit=24&status=completed'),
  "a farm's orders": by('farmer', '/orders/farmer?limit=24'),
  "a farm's pending orders": by('farmer', '/orders/farmer?limit=24&status=pending'),
  'all orders': by('admin', '/orders?limit=24'),
  'all rejected orders': by('admin', '/orders?limit=24&status=rejected'),
  'orders of a name': by('admin', '/orders?limit=24&search=appleby'),
  "a farm's figures": by('farmer', '/orders/stats/farmer'),
  "the market's figures": by('admin', '/admin/stats'),
  "the admins' feed": by('admin', '/admin/feed?limit=24'),
  conversations: by('farmer', '/messages?limit=24'),
  'a thread': { as: 'farmer', path: (m) => `/messages/${m.consumer.id}?limit=24` },
  notifications: by('consumer', '/notifications?limit=24'),
};

/** Those whose names match the expression `BENCH_READS`. */
const READS = Object.fromEntries(
  Object.entries(ALL_READS).filter(([name]) =>
    new RegExp(process.env.BENCH_READS ?? '').test(name),
  ),
);

interface Market {
  size: number;
  stack: Stack;
  people: MeasuredPeople;
}

let calls = 0;

/** Returns the milliseconds of one call. Each call has a unique URL, so that none is answered from the cache. */
async function timeCall({ stack, people }: Market, { as, path }: Read): Promise<number> {
  const where = path(people);
  const url = `${stack.url}/api${where}${where.includes('?') ? '&' : '?'}_=${++calls}`;
  const startedAt = performance.now();
  const { status, body } = await call('GET', url, undefined, as ? people[as].token : undefined);
  if (status !== 200) throw new Error(`${where}: ${status} ${body}`);
  return performance.now() - startedAt;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns the plan of the sixth execution: after five, Postgres may keep a generic plan for all values. */
async function genericPlan(
  client: pg.Client,
  text: string,
  values: unknown[],
): Promise<PlanNode | undefined> {
  const literals = values.map((value) =>
    // Arrays only contain ids, which need no quotes.
    value === null ? 'NULL' : pg.escapeLiteral(Array.isArray(value) ? `{${value}}` : `${value}`),
  );
  const given = literals.length > 0 ? `(${literals.join(', ')})` : '';
  await client.query(`PREPARE measured AS ${text}`);
  let plan: PlanNode | undefined;
  for (let time = 1; time <= 6; time++) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS OFF, FORMAT JSON) EXECUTE measured${given}`,
    );
    plan = rows[0]?.['QUERY PLAN'][0].Plan;
  }
  await client.query('DEALLOCATE measured');
  return plan;
}

/** Returns for each read the node types of its plans and the growing tables that they scan. */
async function explain(
  market: Market,
): Promise<Record<string, { nodes: string; scanned: string[] }>> {
  const env = readEnv({
    ...process.env,
    NODE_ENV: 'test',
    DATABASE_URL: market.stack.databaseUrl,
    REDIS_PREFIX: `${market.stack.prefix}-plans`,
    JWT_SECRET: SECRET,
    DATA_DIR: market.stack.folder,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_SCALE: '10000',
  });
  const queries: { text: string; values: unknown[] }[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recordQuery(this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof config === 'string' ? config : (config.text ?? '');
    const given = typeof config === 'string' ? values : (config.values ?? values);
    if (/^\s*(SELECT|WITH)/i.test(text) && !text.includes('sequence_events')) {
      queries.push({ text, values: Array.isArray(given) ? given : [] });
    }
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  const platform = await createPlatform(env, 'bench');
  const server = createServer(createListener(platform));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const explainer = new pg.Client({ connectionString: market.stack.databaseUrl });
  await explainer.connect();

  const plans: Record<string, { nodes: string; scanned: string[] }> = {};
  for (const [name, { as, path }] of Object.entries(READS)) {
    const token = as ? market.people[as].token : undefined;
    const address = path(market.people);
    for (const attempt of ['first', 'second']) {
      queries.length = 0;
      const url = `http://127.0.0.1:${port}/api${address}${address.includes('?') ? '&' : '?'}_=${attempt}`;
      await call('GET', url, undefined, token);
    }
    const nodes: PlanNode[] = [];
    for (const { text, values } of [...queries]) {
      const plan = await genericPlan(explainer, text, values);
      if (plan) nodes.push(...nodesOf(plan));
    }
    plans[name] = {
      nodes: [...new Set(nodes.map((node) => node['Node Type']))].join(', '),
      scanned: nodes
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .flatMap((node) => node['Relation Name'] ?? [])
        .filter((table) => GROWING_TABLES.has(table)),
    };
  }
  pg.Client.prototype.query = query;
  await explainer.end();
  server.close();
  server.closeAllConnections();
  await platform.close();
  return plans;
}

const markets: Market[] = [];
for (const size of SIZES) {
  const startedAt = performance.now();
  const stack = await startStack({ seed: false, workers: 0 });
  const people = await fillMarket(stack.databaseUrl, size);
  markets.push({ size, stack, people });
  console.error(`${size} filled in ${round((performance.now() - startedAt) / 1000, 0)} s`);
}

const times = new Map<string, number[][]>();
for (const [name, read] of Object.entries(READS)) {
  for (const market of markets) {
    // Warm up connections, prepared statements and the page cache.
    for (let warm = 0; warm < 10; warm++) await timeCall(market, read);
    times.set(`${name} ${market.size}`, []);
  }
  for (let turn = 0; turn < ROUNDS; turn++) {
    const samples = markets.map(() => [] as number[]);
    for (let index = 0; index < CALLS_PER_ROUND; index++) {
      for (const [place, market] of markets.entries()) {
        samples[place]?.push(await timeCall(market, read));
      }
    }
    for (const [place, market] of markets.entries()) {
      times.get(`${name} ${market.size}`)?.push(samples[place] ?? []);
    }
  }
  process.stderr.write('.');
}
process.stderr.write('\n');

const largest = markets.at(-1);
const plans = largest ? await explain(largest) : {};
const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const name of Object.keys(READS)) {
  const p95 = markets.map(({ size }) =>
    (times.get(`${name} ${size}`) ?? []).map((turn) => percentile(turn, 0.95)),
  );
  const growth = median((p95.at(-1) ?? []).map((value, turn) => value / (p95[0]?.[turn] ?? 1)));
  const plan = plans[name];
  rows.push({
    read: name,
    ...Object.fromEntries(
      markets.map(({ size }, place) => [`p95 ms at ${size}`, round(median(p95[place] ?? []))]),
    ),
    growth: round(growth),
    plan: plan?.nodes ?? '',
  });
  const { boundMs } = READS[name] as Read;
  if (boundMs === undefined) {
    goals[`${name}: at most twice from ${SIZES[0]} to ${SIZES.at(-1)}`] = growth <= 2;
  } else {
    goals[`${name}: at most ${boundMs} ms`] = median(p95.at(-1) ?? []) <= boundMs;
  }
  goals[`${name}: no sequential scan of a growing table`] = plan?.scanned.length === 0;
}
report('growth', rows, goals);
for (const { stack } of markets) await stack.close();
process.exit(0);
