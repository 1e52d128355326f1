import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Context, Next } from 'koa';
import type pg from 'pg';
import { AggregatorRegistry, type MetricObject, type PrometheusContentType } from 'prom-client';
import type { OpenDatabase } from '../../../prisma/client.ts';
import type { Env } from '../process/env.ts';
import { listen } from '../process/listen.ts';
import type { Queues } from '../stores/queues.ts';
import type { Redis } from '../stores/redis.ts';
import { measureDatabase, registry } from './metrics.ts';

/** A slower process fails the scrape: a total without its counters would look like a restart. */
const REPLY_TIMEOUT_MS = 5000;

type Message =
  /** From the primary to a worker: send your metrics. */
  | { type: 'metrics.collect'; id: string }
  /** The answer. */
  | { type: 'metrics.collected'; id: string; metrics: MetricObject[] }
  /** From a worker to the primary: send everybody's metrics as text. */
  | { type: 'metrics.request'; id: string }
  /** The answer; without text when a process did not answer. */
  | { type: 'metrics.text'; id: string; text: string | undefined };

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' &&
  message !== null &&
  String((message as { type?: unknown }).type).startsWith('metrics.');

/**
 * Waits for the message that `pick` recognizes; resolves with undefined when the sender exits.
 * Throws after {@link REPLY_TIMEOUT_MS}.
 */
function waitForMessage<T>(
  from: Pick<NodeJS.EventEmitter, 'on' | 'off'>,
  pick: (message: Message) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      from.off('message', onMessage);
      from.off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      const picked = isMessage(message) ? pick(message) : undefined;
      if (picked === undefined) return;
      end();
      resolve(picked);
    };
    // A process that exited has no metrics.
    const onExit = () => {
      end();
      resolve(undefined);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error('A server process did not send its metrics'));
    }, REPLY_TIMEOUT_MS);
    from.on('message', onMessage);
    from.on('exit', onExit);
  });
}

async function collectFrom(worker: Worker): Promise<MetricObject[]> {
  const id = randomUUID();
  const answer = waitForMessage(worker, (message) =>
    message.type === 'metrics.collected' && message.id === id ? message.metrics : undefined,
  );
  worker.send({ type: 'metrics.collect', id } satisfies Message);
  return (await answer) ?? [];
}

/** Collects the metrics of all server processes, combined by each metric's aggregator. */
export async function collectFromWorkers(): Promise<string> {
  const workers = [...listeningWorkers].filter((worker) => worker.isConnected());
  const metrics = await Promise.all(workers.map(collectFrom));
  return AggregatorRegistry.aggregate<PrometheusContentType>(metrics).metrics();
}

/** Workers that listen; those still starting have no metrics yet. */
const listeningWorkers = new Set<Worker>();

/** In the primary: tracks the workers that listen and replies to their requests for all metrics. */
export function superviseMetrics(): void {
  cluster.on('listening', (worker) => listeningWorkers.add(worker));
  cluster.on('exit', (worker) => listeningWorkers.delete(worker));
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message) || message.type !== 'metrics.request') return;
    const answer = (text: string | undefined) => {
      const reply: Message = { type: 'metrics.text', id: message.id, text };
      if (worker.isConnected()) worker.send(reply);
    };
    collectFromWorkers().then(answer, () => answer(undefined));
  });
}

/** In a worker: sends this process's metrics on request. `measure` updates them first. */
function sendMetricsToPrimary(measure: () => Promise<void>): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message) || message.type !== 'metrics.collect') return;
    void measure()
      .then(() => registry.getMetricsAsJSON())
      .then((metrics) => {
        process.send?.({ type: 'metrics.collected', id: message.id, metrics } satisfies Message);
      })
      // Without a reply the primary fails this scrape after its timeout.
      .catch(() => {});
  });
}

/** In a worker: requests the metrics of all processes. Throws when one of them did not reply. */
async function collectThroughPrimary(): Promise<string> {
  const id = randomUUID();
  const answer = waitForMessage(process, (message) =>
    message.type === 'metrics.text' && message.id === id ? { text: message.text } : undefined,
  );
  process.send?.({ type: 'metrics.request', id } satisfies Message);
  const text = (await answer)?.text;
  if (text === undefined) throw new Error('A server process did not send its metrics');
  return text;
}

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
  database: Pick<OpenDatabase, 'state' | 'reason'>;
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
      const reason = stores.database.reason();
      ctx.body = {
        status: readiness.isShuttingDown ? 'shutting down' : isReady ? 'ready' : 'not ready',
        postgres,
        ...(postgres === 'no writes' && reason && { reason }),
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
async function stateOfRedis(redis: Redis): Promise<string> {
  const refusal = redis.refusal();
  if (refusal) return `degraded: refuses writes (${refusal})`;
  return redis
    .withDeadline(() => redis.ping())
    .then(
      () => 'ready',
      () => 'degraded',
    );
}
