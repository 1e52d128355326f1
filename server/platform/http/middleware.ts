import { randomUUID } from 'node:crypto';
import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware, Next } from 'koa';
import helmet from 'koa-helmet';
import { BODY_BYTES_MAX } from '#contract/platform/http/endpoint';
import type { Failure } from '#contract/platform/http/http';
import { msg, writeMessage } from '#contract/platform/text/constants/texts';
import { acceptedLanguage } from '../market/readers.ts';
import { httpDuration, httpInFlight } from '../metrics/metrics.ts';
import type { Readiness } from '../metrics/serve-metrics.ts';
import type { Log } from '../process/log.ts';
import { RELEASE } from '../process/release.ts';
import { withRequestId } from '../process/request-context.ts';
import { isDatabaseAway, isUnstorable, isWriteConflict } from '../stores/postgres.ts';
import { AppError, invalid, outcomeUnknown, tooLarge, unavailable } from './errors.ts';
import type { Route } from './route.ts';

/** Assigns each request an id, measures it, and logs one line per API request. */
export function observe({ log }: { log: Log }, readiness: Readiness) {
  return (ctx: Context, next: Next) => {
    const requestId = randomUUID();
    ctx.set('X-Request-Id', requestId);
    // By it a page that is open learns of another release: web/platform/api/release.ts.
    if (RELEASE !== undefined) ctx.set('X-Release', RELEASE);
    const answering = async () => {
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
    };
    return withRequestId(requestId, answering, acceptedLanguage(ctx.get('accept-language')));
  };
}

/** Returns the route's pattern, not the path, whose ids would make unbounded metric labels. */
function routeOf(ctx: Context): string {
  const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
  if (typeof matched === 'string') return matched;
  return ctx.path.startsWith('/api') ? 'unknown' : 'static';
}

/** Answers thrown errors as a {@link Failure}; logs unexpected ones and answers 500. */
export function answerErrors({ log }: { log: Log }) {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown, ctx.method);
      if (error.status >= 500) {
        const { message, stack } = thrown as Error;
        log.error({ reason: message, stack, status: error.status }, 'Request failed');
      }
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
      ctx.status = error.status;
      ctx.body = failureOf(error);
    }
  };
}

/** Returns the body of the response to an error, in the reader's language. */
export const failureOf = (error: AppError): Failure => ({
  success: false,
  message: writeMessage(error.sentence),
  code: error.code,
  ...(error.params ? { params: error.params } : {}),
  ...(error.errors
    ? {
        errors: error.errors.map(({ path, message }) => ({ path, message: writeMessage(message) })),
      }
    : {}),
  ...(error.problems ? { problems: error.problems } : {}),
  ...(error.data === undefined ? {} : { data: error.data }),
});

/** Maps an error of the body parser. @throws 413 for a body that is too long, else 400 */
function refuseBody({ status }: Error & { status?: number }): never {
  if (status === 413) throw tooLarge(msg("That's too much at once."));
  throw invalid(msg("We couldn't read the request: send well-formed JSON."));
}

function toAppError(thrown: unknown, method: string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isWriteConflict(thrown)) return unavailable();
  if (isDatabaseAway(thrown))
    return ['GET', 'HEAD'].includes(method) ? unavailable() : outcomeUnknown();
  if (isUnstorable(thrown)) return invalid(msg("The text has a character that can't be stored."));
  const { status } = thrown as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    return invalid(msg('The request could not be read.'));
  }
  return new AppError(500, 'INTERNAL', msg('Something went wrong on our side. Please try again.'));
}

const upTo = (bytes: number): Middleware =>
  bodyParser({
    enableTypes: ['json'],
    jsonLimit: bytes,
    parsedMethods: ['POST', 'PUT', 'DELETE'],
    onError: refuseBody,
  });

/**
 * Returns what reads JSON bodies, each up to what its endpoint takes. A longer one than usual is for a path without
 * parameters alone, so that it is known by its address.
 * @throws 400 what is no JSON, 413 what is too long
 */
export function readBodies(routes: readonly Pick<Route, 'endpoint'>[]): Middleware {
  const usual = upTo(BODY_BYTES_MAX);
  const longer = new Map(
    routes
      .filter(({ endpoint }) => endpoint.bodyBytesMax > BODY_BYTES_MAX)
      .map(({ endpoint: { method, path, bodyBytesMax } }) => [
        `${method} /api${path}`,
        upTo(bodyBytesMax),
      ]),
  );
  return (ctx, next) => (longer.get(`${ctx.method} ${ctx.path}`) ?? usual)(ctx, next);
}

/**
 * Security headers. HTML pages get the full Helmet set; JSON responses only those that apply to JSON.
 * `isPage` returns whether a path below `/api/` is HTML.
 */
export function securityHeaders(publicUrl: string, isPage: (path: string) => boolean) {
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
    (ctx.path.startsWith('/api/') && !isPage(ctx.path) ? onData : onPages)(ctx, next);
}

const pagePolicy = (publicUrl: string, isTls: boolean) => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  // React sets styles through the CSSOM, which this allows, unlike style elements and attributes.
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

const VITE_ORIGIN = 'http://localhost:5173';

/**
 * Returns the origins of the market's pages, from which a browser may connect and use passkeys: its own, and Vite's
 * in development.
 */
export function allowedOrigins(publicUrl: string, mode: string): Set<string> {
  const own = new URL(publicUrl);
  const origins = new Set([own.origin]);
  // A local server has several names.
  if (['localhost', '127.0.0.1', '[::1]'].includes(own.hostname)) {
    for (const hostname of ['localhost', '127.0.0.1', '[::1]']) {
      const alias = new URL(own);
      alias.hostname = hostname;
      origins.add(alias.origin);
    }
  }
  if (mode === 'development') origins.add(VITE_ORIGIN);
  return origins;
}
