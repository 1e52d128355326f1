import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { bodyParser } from '@koa/bodyparser';
import Koa, { type Context, type Next } from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import sirv, { type Options as SirvOptions } from 'sirv';
import type { Failure } from '#contract/platform';
import { adminRoutes } from './admin/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { categoriesRoutes } from './categories/routes.ts';
import { DOCS_PAGE, serveDocs } from './docs/serve.ts';
import { farmersRoutes } from './farmers/routes.ts';
import { messagesRoutes } from './messages/routes.ts';
import { queuesBoard } from './notifications/queues-board.ts';
import { notificationsRoutes } from './notifications/routes.ts';
import { ordersRoutes } from './orders/routes.ts';
import { AppError, invalid, notFound, tooLarge, unavailable } from './platform/errors.ts';
import { health, type Readiness } from './platform/health.ts';
import { httpDuration, httpInFlight } from './platform/metrics.ts';
import type { Platform } from './platform/platform.ts';
import { isDatabaseAway, isUnstorable, isWriteConflict } from './platform/postgres.ts';
import { withRequestId } from './platform/request-context.ts';
import { mountRoutes, type Route } from './platform/route.ts';
import { productsRoutes } from './products/routes.ts';
import { uploadsRoutes } from './uploads/routes.ts';
import { serveUploads } from './uploads/serve.ts';
import { usersRoutes } from './users/routes.ts';

const WEB_DIRECTORY = path.resolve('dist/web');
const JSON_LIMIT = '64kb';

/** Every call of the API. Exact paths stand before those with a parameter in the same place. */
export const allRoutes = (platform: Platform): Route[] => [
  ...authRoutes(platform),
  ...farmersRoutes(platform),
  ...usersRoutes(platform),
  ...categoriesRoutes(platform),
  ...productsRoutes(platform),
  ...ordersRoutes(platform),
  ...messagesRoutes(platform),
  ...notificationsRoutes(platform),
  ...uploadsRoutes(platform),
  ...adminRoutes(platform),
];

/** The HTTP side: API, uploads, health, and the built web client when there is one. */
function createApp(platform: Platform, readiness: Readiness): Koa {
  const { env } = platform;
  const app = new Koa();
  app.proxy = env.TRUSTED_PROXIES > 0;
  app.maxIpsCount = env.TRUSTED_PROXIES;
  app.silent = true;

  const routes = allRoutes(platform);

  app.use(observe(platform, readiness));
  app.use(answerErrors(platform));
  app.use(securityHeaders(env.PUBLIC_URL));
  app.use(queuesBoard(platform));
  app.use(compress({ threshold: 1024, br: { params: {} }, gzip: {} }));
  app.use(health(platform, readiness));
  app.use(serveUploads(platform));
  app.use(
    bodyParser({
      enableTypes: ['json'],
      jsonLimit: JSON_LIMIT,
      parsedMethods: ['POST', 'PUT', 'DELETE'],
      onError: refuseBody,
    }),
  );
  app.use(mountRoutes(platform, routes).routes());
  app.use(serveDocs(platform, routes));
  app.use((ctx, next) => {
    if (ctx.path.startsWith('/api')) throw notFound('There is nothing at this address.');
    return next();
  });
  app.use(serveWeb());
  return app;
}

/** Answers every HTTP request: public reads that are at hand at once, all else through the app. */
export function createListener(
  platform: Platform,
  readiness: Readiness = { isShuttingDown: false },
): RequestListener {
  const handle = createApp(platform, readiness).callback();
  return (request, response) => {
    // Told so, a client asks its next question elsewhere.
    if (readiness.isShuttingDown) response.shouldKeepAlive = false;
    if (!platform.publicReads.serve(request, response)) void handle(request, response);
  };
}

/** Names the request, counts it, and writes one line about it. */
function observe(platform: Platform, readiness: Readiness) {
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
        const route = (ctx as { _matchedRoute?: unknown })._matchedRoute;
        const label =
          typeof route === 'string' ? route : ctx.path.startsWith('/api') ? 'unknown' : 'static';
        httpDuration.observe({ method: ctx.method, route: label, status: ctx.status }, ms / 1000);
        if (label !== 'static') {
          platform.log.info(
            { method: ctx.method, route: label, status: ctx.status, ms: Math.round(ms * 10) / 10 },
            'request',
          );
        }
      }
    });
  };
}

/** Turns what was thrown into the one form of refusal; what is not known is logged and says nothing. */
function answerErrors(platform: Platform) {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) {
        const { message, stack } = thrown as Error;
        platform.log.error({ reason: message, stack, status: error.status }, 'A request failed');
      }
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
      ctx.status = error.status;
      ctx.body = {
        success: false,
        message: error.message,
        code: error.code,
        ...(error.errors ? { errors: error.errors } : {}),
      } satisfies Failure;
    }
  };
}

/** Whatever a body is made of that cannot be read, a broken compression too, is the client's to mend. */
function refuseBody({ status }: Error & { status?: number }): never {
  if (status === 413) throw tooLarge('That is more than can be taken at once.');
  throw invalid('The request could not be read: send well-formed JSON.');
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isDatabaseAway(thrown) || isWriteConflict(thrown)) return unavailable();
  if (isUnstorable(thrown)) return invalid('The text holds a character that cannot be stored.');
  const { status } = thrown as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    return invalid('The request could not be read.');
  }
  return new AppError(500, 'INTERNAL', 'Something went wrong on our side. Please try again.');
}

/**
 * The headers that keep each answer in its place: those of pages, and on data, which has no links, runs
 * nothing, is shown in no frame and, told only to a token that no browser sends by itself, holds nothing
 * for another site's page to include, the few that mean something there.
 */
function securityHeaders(publicUrl: string) {
  const isTls = publicUrl.startsWith('https:');
  const everywhere = {
    strictTransportSecurity: isTls ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
  } as const;
  const onPages = helmet({
    ...everywhere,
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy(publicUrl, isTls) },
  });
  const onData = helmet({
    ...everywhere,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return (ctx: Context, next: Next) =>
    (ctx.path.startsWith('/api/') && ctx.path !== DOCS_PAGE ? onData : onPages)(ctx, next);
}

const pagePolicy = (publicUrl: string, isTls: boolean) => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  // React sets styles through the CSSOM, which this allows; style elements and attributes it does not.
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'", publicUrl.replace(/^http/, 'ws')],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  ...(isTls ? { upgradeInsecureRequests: [] } : {}),
});

/** Serves the built client; every path that is no file is a page of it. */
function serveWeb() {
  // In development Vite serves the client, and tests need none.
  const serve = existsSync(WEB_DIRECTORY) ? sirv(WEB_DIRECTORY, webOptions) : undefined;
  return (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!serve) throw notFound('The web client is not built: run npm run build.');
    ctx.respond = false;
    ctx.status = 200;
    return new Promise<void>((resolve) => {
      ctx.res.once('close', resolve);
      // A newer build may have taken the file away: this answer breaks off, and the server goes on.
      ctx.res.once('pipe', (file) => file.once('error', () => ctx.res.destroy()));
      serve(ctx.req, ctx.res, () => {
        ctx.res.statusCode = 404;
        ctx.res.end();
      });
    });
  };
}

const webOptions: SirvOptions = {
  etag: true,
  brotli: true,
  gzip: true,
  single: true,
  setHeaders: (response, pathname) => {
    response.setHeader(
      'Cache-Control',
      pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  },
};
