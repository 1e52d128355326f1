import { bodyParser } from '@koa/bodyparser';
import type { Middleware } from 'koa';
import { BODY_BYTES_MAX } from '#contract/platform/http/endpoint';
import { refuseBody } from './answer-errors.ts';
import type { Route } from './route.ts';

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
