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
