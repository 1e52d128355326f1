import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';
import { httpDuration, httpInFlight } from '../metrics/metrics.ts';
import type { Readiness } from '../metrics/serve-metrics.ts';
import type { Log } from '../process/log.ts';
import { withRequestId } from '../process/request-context.ts';

/** Assigns each request an id, measures it, and logs one line per API request. */
export function observe({ log }: { log: Log }, readiness: Readiness) {
  return (ctx: Context, next: Next) => {
    const requestId = randomUUID();
    ctx.set('X-Request-Id', requestId);
    return withRequestId(requestId, async () => {
      const startedAt = performance.now();
      httpInFlight.inc();
      try {
        await next();
      } finally {
        httpInFlight.dec();
        if (readiness.isShuttingDown) ctx.res.shouldKeepAlive = false;
        const ms = performance.now() - startedAt;
        const route = routeOf(ctx);
        httpDuration.observe({ method: ctx.method, route, status: ctx.status }, ms / 1000);
        if (route !== 'static') {
          log.info(
            { method: ctx.method, route, status: ctx.status, ms: Math.round(ms * 10) / 10 },
            'Request completed',
          );
        }
      }
    });
  };
}

/** Returns the route's pattern, not the path, whose ids would make unbounded metric labels. */
function routeOf(ctx: Context): string {
  const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
  if (typeof matched === 'string') return matched;
  return ctx.path.startsWith('/api') ? 'unknown' : 'static';
}
