import type { Context, Next } from 'koa';
import { measureDatabase, registry } from './metrics.ts';
import type { Platform } from './platform.ts';

/** What a process knows of itself: whether it is going down. */
export interface Readiness {
  isShuttingDown: boolean;
}

/** Answers `/healthz`, `/readyz` and `/metrics`, the same for every kind of process. */
export function health(platform: Platform, readiness: Readiness) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'alive' };
    } else if (ctx.path === '/readyz') {
      const postgres = await stateOfPostgres(platform);
      const isReady = postgres === 'ready' && !readiness.isShuttingDown;
      ctx.status = isReady ? 200 : 503;
      ctx.body = {
        status: readiness.isShuttingDown ? 'shutting down' : isReady ? 'ready' : 'not ready',
        postgres,
        redis: platform.redis.isReady ? 'ready' : 'degraded',
      };
    } else if (ctx.path === '/metrics') {
      await Promise.all([platform.queues().measure(), measureDatabase(platform.pool)]);
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    } else {
      await next();
    }
  };
}

async function stateOfPostgres({ pool }: Platform): Promise<'ready' | 'not migrated' | 'away'> {
  try {
    const { rows } = await pool.query<{ migrated: boolean }>(
      `SELECT to_regclass('event_log_head') IS NOT NULL AS migrated`,
    );
    return rows[0]?.migrated ? 'ready' : 'not migrated';
  } catch {
    return 'away';
  }
}
