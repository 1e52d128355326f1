import type { Context, Next } from 'koa';
import helmet from 'koa-helmet';

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
