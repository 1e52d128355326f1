import type { OutgoingHttpHeaders } from 'node:http';
import '@koa/bodyparser';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Access, Endpoint, Page, RateLimitName } from '#contract/platform';
import { forbidden, invalid, notFound, unauthorized, unsupported } from './errors.ts';
import type { Platform } from './platform.ts';
import { accountKey, addressKey, userKey } from './rate-limit.ts';
import type { SessionUser } from './sessions.ts';

type UserOf<Who extends Access> = Who extends 'public'
  ? null
  : Who extends 'optional'
    ? SessionUser | null
    : SessionUser;

/** What a handler gets: input already validated, the user already allowed in. */
export interface RouteInput<E extends Endpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  user: UserOf<E['access']>;
  /** The client's name for this request, on endpoints that say they are idempotent. */
  idempotencyKey: string | undefined;
  ctx: Context;
}

/** The answer's body without its `success`, which is always true here. */
export type RouteAnswer<E extends Endpoint> = Omit<z.input<E['answer']>, 'success'>;

export interface Route {
  endpoint: Endpoint;
  handle: (input: RouteInput<Endpoint>) => Promise<Record<string, unknown>>;
}

/** Binds an endpoint of the contract to what answers it. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (input: RouteInput<E>) => Promise<RouteAnswer<E>>,
): Route {
  return { endpoint, handle: handle as unknown as Route['handle'] };
}

/** The answer's body around a part of a list. */
export const listAnswer = <T>(page: Page<T>) => ({
  data: page.items,
  count: page.items.length,
  nextCursor: page.nextCursor,
});

const KEY_FORM = /^[\x21-\x7e]{1,200}$/;

/** Puts routes under a router; each runs the same checklist, told by its endpoint. */
export function mountRoutes(platform: Platform, routes: readonly Route[]): Router {
  const router = new Router({ prefix: '/api' });
  for (const { endpoint, handle } of routes) {
    router.register(endpoint.path, [endpoint.method], async (ctx: Context) => {
      const user = await authenticate(platform, endpoint, ctx);
      const params = parseParams(endpoint, ctx.params as Record<string, string>);
      if (endpoint.rate) await limitRate(platform, endpoint.rate, user, ctx);
      const handled = () =>
        handle({
          params,
          query: parse(endpoint.query, withoutEmpty(ctx.query), 'query'),
          body: endpoint.multipart ? {} : parse(endpoint.body, readBody(endpoint, ctx), 'body'),
          user: user as never,
          idempotencyKey: endpoint.idempotent ? readIdempotencyKey(ctx) : undefined,
          ctx,
        });
      if (endpoint.changedBy && !user) {
        // Whoever keeps the answer packs it and says so.
        ctx.remove('Vary');
        await platform.publicReads.answer(
          {
            request: ctx.req,
            route: endpoint.path,
            changedBy: endpoint.changedBy,
            about: (params as { id?: string }).id,
            headers: () => withoutRequestId(ctx.response.headers),
            load: async () => JSON.stringify({ success: true, ...(await handled()) }),
          },
          ctx.res,
        );
        ctx.respond = false;
        return;
      }
      const answer = await handled();
      // Numbered before the writer is told, so that they never read what they have just replaced.
      if (endpoint.method !== 'GET') await platform.eventLog.sequence();
      ctx.status = endpoint.status;
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { success: true, ...answer };
    });
  }
  return router;
}

/** What belongs to every answer of this call, not to this one alone. */
function withoutRequestId({ 'x-request-id': _, ...headers }: OutgoingHttpHeaders) {
  return headers;
}

async function authenticate(
  platform: Platform,
  { access }: Endpoint,
  ctx: Context,
): Promise<SessionUser | null> {
  if (access === 'public') return null;
  const [scheme, token] = ctx.get('authorization').split(' ');
  if (!token || scheme?.toLowerCase() !== 'bearer') {
    if (access === 'optional') return null;
    throw unauthorized();
  }
  const session = await platform.sessions.verify(token);
  if (!session) {
    // What everybody may see stays to be seen with a token that ended.
    if (access === 'optional') return null;
    throw unauthorized('Your session has ended. Please sign in again.');
  }
  if (access !== 'optional' && !access.includes(session.user.role)) throw forbidden();
  return session.user;
}

async function limitRate(
  platform: Platform,
  name: RateLimitName,
  user: SessionUser | null,
  ctx: Context,
): Promise<void> {
  const keys = [user ? userKey(user.id) : addressKey(ctx.ip)];
  // Guessing at one account from many addresses counts against the account.
  const email = (ctx.request.body as { email?: unknown } | undefined)?.email;
  if ((name === 'login' || name === 'reset') && typeof email === 'string') {
    keys.push(accountKey(email));
  }
  await platform.rateLimits(name, keys);
}

function parse<T extends z.ZodType>(
  schema: T,
  input: unknown,
  where: 'body' | 'query',
): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
  }));
  const first = errors[0];
  if (!first?.path) throw invalid(`The request's ${where} is not of the expected form.`, errors);
  // Our own messages are sentences; the library's need the field's name to make sense.
  const isOurs = !/^(Invalid|Too|Unrecognized)/.test(first.message);
  throw invalid(isOurs ? first.message : `${first.path}: ${first.message}`, errors);
}

function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  const result = endpoint.params.safeParse(params);
  if (!result.success) {
    throw notFound(result.error.issues[0]?.message ?? 'There is nothing at this address.');
  }
  return result.data;
}

const withoutEmpty = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

function readBody(endpoint: Endpoint, ctx: Context): unknown {
  if (endpoint.method === 'GET') return {};
  const length = ctx.request.length;
  const hasBody = (length !== undefined && length > 0) || ctx.get('transfer-encoding') !== '';
  if (hasBody && !ctx.request.is('application/json')) {
    throw unsupported('Send the body as JSON, with Content-Type application/json.');
  }
  return ctx.request.body ?? {};
}

function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.get('idempotency-key');
  if (key === '') return undefined;
  if (!KEY_FORM.test(key)) {
    throw invalid('An Idempotency-Key has 1 to 200 visible ASCII characters.');
  }
  return key;
}
