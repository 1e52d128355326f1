import type { RequestListener } from 'node:http';
import Koa from 'koa';
import compress from 'koa-compress';
import { EVENTS } from '#contract/app/registry';
import { msg } from '#contract/platform/text/constants/texts';
import { clockMs, isClockWrong } from '#contract/platform/time/constants';
import { queuesBoard } from './admin/admin/queues-board.ts';
import { adminRoutes } from './admin/routes.ts';
import { changeFollows } from './catalogue/follows/follow.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { DOCS_PAGE, serveDocs } from './edge/docs/serve.ts';
import { createRead, loadBuiltPages } from './edge/pages/built.ts';
import { serveCards } from './edge/pages/cards.ts';
import { servePages } from './edge/pages/serve.ts';
import { serveSitemap } from './edge/pages/sitemap.ts';
import { logRoutes } from './edge/realtime/read-log.ts';
import { openFarm } from './farm/farmers/service.ts';
import { farmRoutes } from './farm/routes.ts';
import { paymentRoutes } from './money/payment/service.ts';
import { seeByNotifications } from './ordering/attention/commands.ts';
import { serveCalendars } from './ordering/calendar/service.ts';
import { servePicklistFiles } from './ordering/picklist/serve-files.ts';
import { orderingRoutes } from './ordering/routes.ts';
import { serveUnsubscribe } from './people/notifications/unsubscribe.ts';
import { peopleRoutes } from './people/routes.ts';
import {
  BROTLI_OPTIONS,
  COMPRESS_FROM_BYTES,
  GZIP_OPTIONS,
} from './platform/cache/cached-response.ts';
import { serveWeb } from './platform/cache/serve-web.ts';
import { clientErrorsRoutes } from './platform/client-errors/routes.ts';
import { notFound, unavailable } from './platform/http/errors.ts';
import { answerErrors, observe, readBodies, securityHeaders } from './platform/http/middleware.ts';
import type { Platform } from './platform/http/platform.ts';
import { mountRoutes, type Route } from './platform/http/route.ts';
import { health, type Readiness } from './platform/metrics/serve-metrics.ts';
import { serveUploads, uploadsRoutes } from './platform/uploads/service.ts';
import { createStorage } from './platform/uploads/storage.ts';

/** Every call of the API. Exact paths stand before those with a parameter in the same place. */
export const allRoutes = (platform: Platform): Route[] => [
  ...peopleRoutes(platform, openFarm, seeByNotifications),
  ...farmRoutes(platform),
  // `/products/stock` comes before `/products/:id`, which would take the word for an id.
  ...catalogueRoutes(platform),
  ...orderingRoutes(platform),
  ...paymentRoutes(platform),
  ...adminRoutes(platform),
  ...uploadsRoutes(platform),
  ...clientErrorsRoutes(platform),
  ...logRoutes(platform),
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
  app.use(securityHeaders(env.PUBLIC_URL, (path) => path === DOCS_PAGE));
  app.use(queuesBoard(platform));
  app.use(compress({ threshold: COMPRESS_FROM_BYTES, br: BROTLI_OPTIONS, gzip: GZIP_OPTIONS }));
  app.use(health(platform, readiness));
  app.use(serveUploads(platform));
  app.use(serveCalendars(platform));
  app.use(servePicklistFiles(platform));
  app.use(serveUnsubscribe(platform, changeFollows));
  app.use(readBodies(routes));
  app.use(mountRoutes(platform, routes).routes());
  app.use(serveDocs(platform, routes, EVENTS));
  app.use((ctx, next) => {
    if (ctx.path.startsWith('/api')) throw notFound(msg('There is nothing at this address.'));
    return next();
  });
  const read = createRead(platform, routes);
  const pictures = createStorage(env);
  app.use(serveSitemap(platform));
  app.use(serveCards(platform, { read, readPicture: (name) => pictures.read(name) }));
  app.use(servePages(platform, read, loadBuiltPages));
  app.use(serveWeb(createStorage(env, { kind: 'assets' })));
  return app;
}

/**
 * How long an idle connection is kept: longer than usual load balancers do, and so long that nobody sends over it in
 * the moment when it closes, as happens with Node's 5 s on a busy machine.
 */
export const KEEP_ALIVE_MS = 65_000;

/** Answers every HTTP request: cached public reads synchronously, everything else through the app. */
export function createListener(
  platform: Platform,
  readiness: Readiness = { isShuttingDown: false },
): RequestListener {
  const handle = createApp(platform, readiness).callback();
  return (request, response) => {
    // Send `Connection: close` while shutting down so clients reconnect to another instance.
    if (readiness.isShuttingDown) response.shouldKeepAlive = false;
    // Browsers take the time from it. Node writes that of the machine, and faster.
    if (isClockWrong()) response.setHeader('Date', new Date(clockMs()).toUTCString());
    if (!platform.responseCache.answerReady(request, response)) void handle(request, response);
  };
}

/** Answers while the server waits for its database: health alone, and 503 to everything else. */
export function createWaitingListener(platform: Platform, readiness: Readiness): RequestListener {
  const app = new Koa();
  app.silent = true;
  app.use(answerErrors(platform));
  app.use(health(platform, readiness));
  app.use(() => {
    throw unavailable();
  });
  return app.callback();
}
