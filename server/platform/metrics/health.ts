import type { Context, Next } from 'koa';
import type pg from 'pg';
import type { OpenDatabase } from '../../../prisma/client.ts';
import type { Env } from '../process/env.ts';
import type { Queues } from '../stores/queues.ts';
import type { Redis } from '../stores/redis.ts';
import { createMetrics } from './serve-metrics.ts';

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
