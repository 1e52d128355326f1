import cluster from 'node:cluster';
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Context, Next } from 'koa';
import type pg from 'pg';
import type { OpenDatabase } from '../../../prisma/client.ts';
import type { Env } from '../process/env.ts';
import { listen } from '../process/listen.ts';
import type { Queues } from '../stores/queues.ts';
import type { Redis } from '../stores/redis.ts';
import { collectThroughPrimary, sendMetricsToPrimary } from './cluster-metrics.ts';
import { measureDatabase, registry } from './metrics.ts';

/** The stores whose use is measured. */
interface Measured {
  env: Pick<Env, 'METRICS_TOKEN'>;
  pool: pg.Pool;
  queues(): Queues;
}

/** The response of `/metrics`. */
interface MetricsAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const refusal = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): MetricsAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ success: false, message, code }),
});

const NOT_FOUND = refusal(404, 'NOT_FOUND', 'There is nothing at this address.');

/** Compares in constant time; digests give both sides the same length. */
const equalsInConstantTime = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
};

async function answerMetrics(collect: () => Promise<string>): Promise<MetricsAnswer> {
  try {
    const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
    return { status: 200, headers, body: await collect() };
  } catch {
    return refusal(503, 'UNAVAILABLE', 'The metrics cannot be collected just now.');
  }
}

/** Collects the metrics of this process, or of all server processes when several share the port. */
export function createMetrics({ env, pool, queues }: Measured) {
  const measure = async () => {
    await Promise.all([queues().measure(), measureDatabase(pool)]);
  };
  if (cluster.isWorker) sendMetricsToPrimary(measure);

  const collect = async () => {
    if (cluster.isWorker) return collectThroughPrimary();
    await measure();
    return registry.metrics();
  };

  /** Answers `/metrics` on the public port: 404 without METRICS_TOKEN, 401 without the right token. */
  async function answer(authorization: string): Promise<MetricsAnswer> {
    if (env.METRICS_TOKEN === undefined) return NOT_FOUND;
    const [, token = ''] = /^bearer +(.+)$/i.exec(authorization) ?? [];
    if (equalsInConstantTime(token, env.METRICS_TOKEN)) return answerMetrics(collect);
    return refusal(401, 'UNAUTHORIZED', 'The metrics want their token.', {
      'www-authenticate': 'Bearer',
    });
  }

  return { answer, collect };
}

/**
 * Serves `/metrics`, without a token, on METRICS_PORT when it is set.
 * Throws when the port is taken.
 */
export async function listenForMetrics(
  env: Pick<Env, 'METRICS_PORT' | 'HOST'>,
  collect: () => Promise<string>,
): Promise<void> {
  if (env.METRICS_PORT === undefined) return;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const isMetrics = /^\/metrics(\?|$)/.test(request.url ?? '');
    const { status, headers, body } = isMetrics ? await answerMetrics(collect) : NOT_FOUND;
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await listen(server, { port: env.METRICS_PORT, host: env.HOST, setting: 'METRICS_PORT' });
}

/** The state that `/readyz` reports besides the stores. */
export interface Readiness {
  isShuttingDown: boolean;
}

/** The stores whose state is reported. */
interface Stores {
  env: Pick<Env, 'METRICS_TOKEN'>;
  pool: pg.Pool;
  database: Pick<OpenDatabase, 'state'>;
  redis: Redis;
  queues(): Queues;
}

/** Answers `/healthz`, `/readyz` and `/metrics`, the same for every kind of process. */
export function health(stores: Stores, readiness: Readiness) {
  const metrics = createMetrics(stores);
  return async (ctx: Context, next: Next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'alive' };
    } else if (ctx.path === '/readyz') {
      const [postgres, redis] = await Promise.all([
        stores.database.state(),
        stateOfRedis(stores.redis),
      ]);
      const isReady = postgres === 'ready' && !readiness.isShuttingDown;
      ctx.status = isReady ? 200 : 503;
      ctx.body = {
        status: readiness.isShuttingDown ? 'shutting down' : isReady ? 'ready' : 'not ready',
        postgres,
        redis,
      };
    } else if (ctx.path === '/metrics') {
      const { status, headers, body } = await metrics.answer(ctx.get('authorization'));
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
    } else {
      await next();
    }
  };
}

/** Pings Redis, since a hanging Redis keeps its connections open. */
const stateOfRedis = (redis: Redis): Promise<'ready' | 'degraded'> =>
  redis
    .withDeadline(() => redis.ping())
    .then(
      () => 'ready' as const,
      () => 'degraded' as const,
    );
