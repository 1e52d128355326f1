import type { PublicEventName } from '#contract/platform/events/event';
import type { Call, Calls, Role } from '#contract/platform/http/constants';
import { Done } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import type { FarmPermission } from '#contract/platform/session/constants';

/**
 * Names of the rate limits; the server defines their sizes. `reads` and `writes` are for calls without a limit of their
 * own; requests that the response cache answers do not count.
 */
export type RateLimitName =
  | 'reads'
  | 'events'
  | 'login'
  | 'reset'
  | 'register'
  | 'orders'
  | 'messages'
  | 'uploads'
  | 'clientErrors'
  | 'reports'
  | 'exports'
  | 'search'
  | 'writes';

/**
 * `public`: anybody; `optional`: anybody, and a valid token may show more; else these roles.
 */
export type Access = 'public' | 'optional' | readonly Role[];

/**
 * One call of the API as data: the router enforces it, the OpenAPI document describes it, and the
 * role matrix test walks it.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
  To extends Call = Call,
> {
  method: To['method'];
  path: To['path'];
  summary: string;
  access: Who;
  params: Params;
  query: Query;
  body: Body;
  /** The schema of the response body. */
  answer: Answer;
  status: 200 | 201;
  /** `reads` or `writes` where nothing is said. */
  rate: RateLimitName;
  /** Statuses it may return besides those that follow from its access, input and rate. */
  failures: readonly number[];
  /** The body is multipart form data with files instead of JSON. */
  multipart: boolean;
  /** The longest JSON body; more than {@link BODY_BYTES_MAX} only of a path without parameters. */
  bodyBytesMax: number;
  /**
   * Accepts an `Idempotency-Key` header, under which a repeat gets the first answer. So is every write of
   * signed-in people with a JSON body, unless the endpoint says why not, or begins with tokens: see
   * {@link endpoint}.
   */
  isRepeatable: boolean;
  /**
   * What somebody who works for a farm must be allowed to there; the role on the farm alone may still be too
   * little for what is asked. Undefined where the call concerns no farm of the caller's.
   */
  farmPermission: FarmPermission | undefined;
  /** Reads the `X-Device-Id` header. */
  readsDeviceId: boolean;
  /** The response is the same for everybody and is cached until one of these events. */
  invalidatedBy: InvalidatedBy | undefined;
}

/**
 * Whether each event that changes public reads invalidates a cached response: with any id, only with
 * the id in the path (`sameId`), or never. Total, so that no event can be forgotten.
 */
export type InvalidatedBy = Readonly<Record<PublicEventName, 'anyId' | 'sameId' | 'never'>>;

/** The longest JSON body that is read before anybody looks at it. */
export const BODY_BYTES_MAX = 64 * 1024;

const None = z.object({});
type None = typeof None;

/**
 * What an endpoint says beside its method and path. What is left out means no input, an answer without data, and no
 * additional statuses.
 */
type Definition = Pick<Endpoint, 'summary' | 'access'> &
  Partial<Omit<Endpoint, keyof Call | 'isRepeatable'>> & {
    /** Why a signed-in JSON write is not repeatable, as a sentence; it is by default. */
    notRepeatable?: string;
  };

type SchemaOf<Declared, Part extends 'params' | 'query' | 'body' | 'answer', Otherwise = None> =
  Declared extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? Schema : Otherwise;

type EndpointOf<Declared extends Definition, To extends Call> = Endpoint<
  SchemaOf<Declared, 'params'>,
  SchemaOf<Declared, 'query'>,
  SchemaOf<Declared, 'body'>,
  SchemaOf<Declared, 'answer', typeof Done>,
  Declared['access'],
  To
>;

/**
 * Declares an {@link Endpoint}. A signed-in JSON write is repeatable, except below `/auth`, `/setup` and `/invites`,
 * whose answers hold tokens: a stored answer must never hold one.
 */
export function endpoint<const Declared extends Definition & Call>({
  notRepeatable,
  ...definition
}: Declared): EndpointOf<Declared, Declared> {
  const { method, path, access, multipart = false } = definition;
  const complete = {
    status: 200,
    rate: method === 'GET' ? 'reads' : 'writes',
    failures: [],
    bodyBytesMax: BODY_BYTES_MAX,
    farmPermission: undefined,
    readsDeviceId: false,
    invalidatedBy: undefined,
    params: None,
    query: None,
    body: None,
    answer: Done,
    ...definition,
    multipart,
    isRepeatable:
      method !== 'GET' &&
      typeof access !== 'string' &&
      !multipart &&
      !/^\/(auth|setup|invites)\b/.test(path) &&
      notRepeatable === undefined,
  };
  return complete as unknown as EndpointOf<Declared, Declared>;
}

/** Declares the endpoints of a feature, one for each of its calls. */
export const endpoints = <All extends Calls, const Declared extends Record<keyof All, Definition>>(
  calls: All,
  definitions: Declared,
) =>
  Object.fromEntries(
    Object.entries<Definition>(definitions).map(([name, definition]) => [
      name,
      endpoint({ ...(calls[name] as Call), ...definition }),
    ]),
  ) as unknown as { [Name in keyof All]: EndpointOf<Declared[Name], All[Name]> };

/** What a call concerns that people of a farm make, of whom the farm asks this permission. */
export const forFarm = <Permission extends FarmPermission>(farmPermission: Permission) =>
  ({ access: ['farmer'], farmPermission }) as const;

/**
 * The endpoints of every feature, which `contract/app/registry.ts` adds (`declare module`), so that what calls the API
 * knows all of them and imports no feature.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the registry fills it
export interface ApiRegistry {}

type ValueOf<Api> = Api extends unknown ? Api[keyof Api] : never;

/** The endpoint at this method and path; `never` if there is none. */
export type EndpointAt<To extends Call> = Extract<
  ValueOf<ApiRegistry[keyof ApiRegistry]>,
  { method: To['method']; path: To['path'] }
>;
