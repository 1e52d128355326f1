import type { OutgoingHttpHeaders } from 'node:http';
import type {
  Access,
  Endpoint,
  InvalidatedBy,
  RateLimitName,
} from '#contract/platform/http/endpoint';
import { requirePermission } from '../sessions/lock-caller.ts';
import '@koa/bodyparser';
import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import type { Page } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { CacheRequest, Depend } from '../cache/response-cache.ts';
import type { SessionUser } from '../sessions/sessions.ts';
import type { TransactionTimes } from '../stores/postgres.ts';
import {
  accountGone,
  fieldErrors,
  forbidden,
  invalid,
  notFound,
  unauthorized,
  unsupported,
} from './errors.ts';
import type { Platform } from './platform.ts';
import { addressKey, userKey } from './rate-limit.ts';
import { answerOnce, readIdempotencyKey, requestHash, withKeyAsCommandId } from './repeat.ts';

type UserOf<Who extends Access> = Who extends 'public'
  ? null
  : Who extends 'optional'
    ? SessionUser | null
    : SessionUser;

/** A handler's input: validated, and the user authorized. */
interface RouteInput<E extends Endpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  user: UserOf<E['access']>;
  /** The `Idempotency-Key` header, for a handler that stores its answer itself. */
  idempotencyKey: string | undefined;
  ctx: Context;
}

/** The response body without `success`, which is always true here. */
type RouteAnswer<E extends Endpoint> = Omit<z.input<E['answer']>, 'success'>;

/** Nothing, where the endpoint answers no more than that it succeeded. */
type Nothing<E extends Endpoint> = object extends RouteAnswer<E> ? Promise<void> : never;
type DataOf<E extends Endpoint> = RouteAnswer<E> extends { data: infer Data } ? Data : never;

export interface Route extends RouteOptions {
  endpoint: Endpoint;
  handle: (input: RouteInput<Endpoint>) => Promise<Record<string, unknown> | undefined>;
}

/** What few routes need. */
interface RouteOptions {
  /** Replaces the rate limit of the endpoint. */
  limit?: Limit;
  /** The times of its transaction when it is called with a key, where the usual ones are too short. */
  times?: TransactionTimes;
  /** It sends its answer itself, as a file or a stream; see {@link fileRoute}. */
  sendsAnswer?: boolean;
  /** It stores its answer under the `Idempotency-Key` itself, in the statement that has the effect. */
  storesAnswer?: boolean;
}

/**
 * Counts a request before its input is validated, for limits by more than address or account.
 * @throws 429
 */
export type Limit = (ctx: Context) => Promise<void>;

/**
 * Binds an endpoint of the contract to its handler. A handler of a repeatable endpoint writes in
 * `transact`, which then is a part of the transaction that stores the answer, and reads what it has
 * written in there; it does in `afterCommit` what must not happen before.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (input: RouteInput<E>) => Promise<RouteAnswer<E>> | Nothing<E>,
  options: RouteOptions = {},
): Route {
  return { endpoint, handle: handle as unknown as Route['handle'], ...options };
}

/** Binds an endpoint that answers `data` alone to what returns that. */
export const dataRoute = <E extends Endpoint>(
  endpoint: E,
  handle: (input: RouteInput<E>) => Promise<DataOf<E>>,
  options: RouteOptions = {},
): Route => ({
  endpoint,
  handle: async (input) => ({ data: await handle(input as RouteInput<E>) }),
  ...options,
});

/** Binds an endpoint that answers a page of a list to what returns that. */
export const listRoute = <E extends Endpoint>(
  endpoint: E,
  list: (
    input: RouteInput<E>,
  ) => Promise<Page<DataOf<E> extends readonly (infer Item)[] ? Item : never>>,
): Route => ({ endpoint, handle: async (input) => listAnswer(await list(input as RouteInput<E>)) });

/**
 * Binds a read of the contract whose answer is a file: the handler puts it into the context, as a stream where it
 * is too large to be held.
 */
export const fileRoute = <E extends Endpoint>(
  endpoint: E,
  handle: (input: RouteInput<E>) => Promise<void>,
): Route => ({
  endpoint,
  handle: async (input) => {
    await handle(input as RouteInput<E>);
    return undefined;
  },
  sendsAnswer: true,
});

/** Returns the response body of a page of a list. */
export const listAnswer = <T>(page: Page<T>) => ({
  data: page.items,
  count: page.items.length,
  nextCursor: page.nextCursor,
});

/** Mounts routes. Each authenticates, limits, validates and answers as its endpoint declares. */
export function mountRoutes(platform: Platform, routes: readonly Route[]): Router {
  const router = new Router({ prefix: '/api' });
  for (const own of routes) {
    const { endpoint, handle } = own;
    router.register(endpoint.path, [endpoint.method], async (ctx: Context) => {
      const user = await authenticate(platform, endpoint, ctx);
      const params = parseParams(endpoint, ctx.params as Record<string, string>);
      const countRate = async () => {
        if (own.limit) await own.limit(ctx);
        else if (endpoint.rate) await limitRate(platform, endpoint.rate, user, ctx);
      };
      if (endpoint.invalidatedBy && !user) {
        const query = parseQuery(endpoint.query, ctx.query);
        await answerFromCache(platform, ctx, {
          endpoint,
          invalidatedBy: endpoint.invalidatedBy,
          params,
          query,
          limit: countRate,
          load: () => handle({ params, query, body: {}, user: null, ctx } as RouteInput<Endpoint>),
        });
        return;
      }
      await countRate();
      const input: RouteInput<Endpoint> = {
        params,
        query: parseQuery(endpoint.query, ctx.query),
        body: endpoint.multipart ? {} : parse(endpoint.body, readBody(endpoint, ctx), 'body'),
        user,
        idempotencyKey: endpoint.isRepeatable
          ? readIdempotencyKey(ctx.get('idempotency-key'))
          : undefined,
        ctx,
      };
      ctx.set('Cache-Control', 'no-store');
      if (own.sendsAnswer) {
        await handle(input);
        return;
      }
      const answer = await answerCommand(platform, own, input);
      // Number the events before answering, so that the writer never reads a stale cached answer.
      if (endpoint.method !== 'GET') await platform.eventLog.sequence();
      ctx.status = endpoint.status;
      ctx.body = answer;
    });
  }
  return router;
}

/** Returns the body of an answer: for a repeat of a command under its key, the first one. */
async function answerCommand(
  platform: Platform,
  { endpoint, handle, times, storesAnswer }: Route,
  input: RouteInput<Endpoint>,
): Promise<Record<string, unknown>> {
  const { user, idempotencyKey: key } = input;
  const answer = async () => ({ success: true, ...(await handle(input)) });
  if (!user || key === undefined) return answer();
  return withKeyAsCommandId(key, () => {
    if (storesAnswer) return answer();
    const hash = requestHash(endpoint, input);
    const command = { userId: user.id, key, hash, status: endpoint.status };
    return answerOnce(platform, command, answer, times);
  });
}

interface CacheableRead {
  endpoint: Endpoint;
  invalidatedBy: InvalidatedBy;
  params: unknown;
  query: unknown;
  /** Throws 429 when the client is over its limit. */
  limit: () => Promise<void>;
  load: () => ReturnType<Route['handle']>;
}

async function answerFromCache(platform: Platform, ctx: Context, read: CacheableRead) {
  // The response cache compresses and sets Vary itself.
  ctx.remove('Vary');
  await platform.responseCache.answer(
    {
      ...cacheRequestOf(read),
      isPlainUrl: Object.keys(ctx.query).every((name) => isKnownParameter(read.endpoint, name)),
      admit: read.limit,
      headers: () => withoutRequestId(ctx.response.headers),
    },
    ctx.req,
    ctx.res,
  );
  ctx.respond = false;
}

/** Returns the part of a cached read that is the same however it is asked for. */
const cacheRequestOf = ({
  endpoint,
  query,
  invalidatedBy,
  params,
  load,
}: Omit<CacheableRead, 'limit'>): Pick<
  CacheRequest,
  'key' | 'route' | 'invalidatedBy' | 'id' | 'load'
> => {
  const id = (params as { id?: string }).id?.toLowerCase();
  return {
    key: JSON.stringify([endpoint.path, id ?? '', givenFields(query)]),
    route: endpoint.path,
    invalidatedBy,
    id,
    load: async () => JSON.stringify({ success: true, ...(await load()) }),
  };
};

/** A read of this process itself: what a visitor gets. `ctx` is the request that it is needed for. */
interface OwnRead {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  ctx: Context;
  /** Called before anything is read, so that what is made of the answer is invalidated by the same events. */
  depend: Depend;
}

/**
 * Answers a public read for this process itself, from the cache of its clients' answers where that has it. Not
 * limited: whatever needs it is.
 *
 * @throws AppError when the read refuses
 */
export async function readOwn(
  { responseCache }: Platform,
  { endpoint, handle }: Route,
  { params: givenParams, query: givenQuery, ctx, depend }: OwnRead,
): Promise<string> {
  const params = parseParams(endpoint, givenParams);
  const query = parse(endpoint.query, withoutEmpty(givenQuery), 'query');
  const load = () =>
    handle({ params, query, body: {}, user: null, ctx } as unknown as RouteInput<Endpoint>);
  const { invalidatedBy } = endpoint;
  if (!invalidatedBy) return JSON.stringify({ success: true, ...(await load()) });
  const request = cacheRequestOf({ endpoint, query, invalidatedBy, params, load });
  depend(invalidatedBy, request.id);
  return (await responseCache.peek(request.key)) ?? request.load(depend);
}

/** Returns the fields of a parsed query in a fixed order, without empty ones. */
const givenFields = (query: unknown): [string, unknown][] =>
  Object.entries(query as Record<string, unknown>)
    .filter(([, value]) => value !== undefined && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));

const isKnownParameter = ({ query }: Endpoint, name: string): boolean =>
  query instanceof z.ZodObject && Object.hasOwn(query.shape, name);

/** Removes the header that differs per request. */
export function withoutRequestId({ 'x-request-id': _, ...headers }: OutgoingHttpHeaders) {
  return headers;
}

/** Returns the token that a request carries, if it does. */
export function bearerTokenOf(ctx: Context): string | undefined {
  const [scheme, token] = ctx.get('authorization').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token || undefined : undefined;
}

async function authenticate(
  platform: Platform,
  { access, farmPermission }: Endpoint,
  ctx: Context,
): Promise<SessionUser | null> {
  if (access === 'public') return null;
  const token = bearerTokenOf(ctx);
  if (!token) {
    if (access === 'optional') return null;
    throw unauthorized();
  }
  const session = await platform.sessions.verify(token);
  if (!session) {
    // An ended token may still read what is public.
    if (access === 'optional') return null;
    if (await platform.sessions.isAccountGone(token)) throw accountGone();
    throw unauthorized(msg('Your session has ended. Please sign in again.'));
  }
  if (access !== 'optional' && !access.includes(session.user.role)) throw forbidden();
  if (farmPermission && session.user.role === 'farmer') {
    requirePermission(session.user, farmPermission);
  }
  return session.user;
}

async function limitRate(
  platform: Platform,
  name: RateLimitName,
  user: SessionUser | null,
  ctx: Context,
): Promise<void> {
  await platform.rateLimits(name, [user ? userKey(user.id) : addressKey(ctx.ip)]);
}

function parse<T extends z.ZodType>(
  schema: T,
  input: unknown,
  where: 'body' | 'query',
): z.output<T> {
  const result = schema.safeParse(input, {
    error: fieldErrors(
      where === 'body'
        ? msg("The request's body is not of the expected form.")
        : msg("The request's query is not of the expected form."),
    ),
  });
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  throw invalid(errors[0]?.message ?? '', errors);
}

function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  const result = endpoint.params.safeParse(params);
  if (!result.success) {
    throw notFound(result.error.issues[0]?.message ?? msg('There is nothing at this address.'));
  }
  return result.data;
}

/**
 * Returns a query as its schema reads it; an empty value means absent.
 * @throws 400 with what is wrong with each field
 */
export const parseQuery = <T extends z.ZodType>(schema: T, query: Context['query']): z.output<T> =>
  parse(schema, withoutEmpty(query), 'query');

const withoutEmpty = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

function readBody(endpoint: Endpoint, ctx: Context): unknown {
  if (endpoint.method === 'GET') return {};
  const length = ctx.request.length;
  const hasBody = (length !== undefined && length > 0) || ctx.get('transfer-encoding') !== '';
  if (hasBody && !ctx.request.is('application/json')) {
    throw unsupported(msg('Send the body as JSON, with Content-Type application/json.'));
  }
  return ctx.request.body ?? {};
}
