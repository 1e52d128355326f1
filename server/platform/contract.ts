import { z } from 'zod';

/** The role an account was registered with; it never changes. */
export const ROLES = ['consumer', 'farmer', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const Id = z.uuid();

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime();

/** A wall-clock date, `YYYY-MM-DD`, never shifted between time zones. */
export const WallDate = z.iso.date('Give a date as YYYY-MM-DD.');

/** A wall-clock time, `HH:mm`. */
export const WallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give a time as HH:mm.');

/** Money from its wire form (a number with two decimals) to integer minor units. */
export const toMinor = (amount: number): number => Math.round(amount * 100);

/** Money from integer minor units to its wire form. */
export const fromMinor = (minor: number | bigint): number => Number(minor) / 100;

/** True when the number is a whole count of minor units. */
export const hasTwoDecimals = (amount: number): boolean =>
  Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

/** An amount of money on the wire: a JSON number with at most two decimals. */
export const Amount = z.number();

/**
 * Text as stored: trimmed, at most `max` characters, without NUL or half a character, neither of which
 * Postgres can hold.
 */
export const text = (max: number, missing?: string) =>
  z
    .string(missing)
    .trim()
    .max(max, `Keep this to ${max} characters.`)
    .refine((value) => !value.includes('\u0000'), 'Remove the NUL character.')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'Remove the character that cannot be read.');

/** Like {@link text}, and not blank. */
export const requiredText = (max: number, message: string) => text(max, message).min(1, message);

/** An http(s) link or empty; other schemes such as `javascript:` are refused. */
export const optionalUrl = text(500).refine(
  (value) => value === '' || isWebUrl(value),
  'Give a web address that starts with https://.',
);

function isWebUrl(value: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol);
  } catch {
    return false;
  }
}

export const Address = z.object({
  street: text(200).default(''),
  city: text(100).default(''),
  state: text(100).default(''),
  zipCode: text(20).default(''),
});
export type Address = z.infer<typeof Address>;

/** How many rows a list answers at once: 100 unless asked, never more than 200. */
export const LIST_LIMIT = { default: 100, max: 200 } as const;

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT.max).default(LIST_LIMIT.default),
  cursor: text(200).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const FieldError = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** What every refusal looks like; `message` is a sentence for a person. */
export const Failure = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  errors: z.array(FieldError).optional(),
});
export type Failure = z.infer<typeof Failure>;

/** `{ success, data }` around one thing. */
export const one = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data });

/** `{ success, data, count, nextCursor }` around a part of a list. */
export const list = <T extends z.ZodType>(item: T) =>
  z.object({
    success: z.literal(true),
    data: z.array(item),
    count: z.number().int(),
    nextCursor: z.string().nullable(),
  });

/** A part of a list as a service returns it. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Nothing to tell but that it is done. */
export const Done = z.object({ success: z.literal(true) });

/** Names of the rate limits; their sizes are the server's. */
export type RateLimitName =
  | 'login'
  | 'reset'
  | 'register'
  | 'orders'
  | 'messages'
  | 'uploads'
  | 'search'
  | 'writes';

/**
 * `public`: anybody; `optional`: anybody, and a token that counts may show more; else these roles.
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
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, parameters as `:name`. */
  path: string;
  summary: string;
  access: Who;
  params: Params;
  query: Query;
  body: Body;
  /** The whole answer's body. */
  answer: Answer;
  status: 200 | 201;
  rate: RateLimitName | undefined;
  /** Statuses it may answer beyond those that follow from its access, input and rate. */
  failures: readonly number[];
  /** Files come as multipart form data instead of a JSON body. */
  multipart: boolean;
  /** What a client may name its request with to make a repeat safe. */
  idempotent: boolean;
  /** Tells that the answer is the same for everybody, and which events make it wrong. */
  changedBy: ChangedBy | undefined;
}

/**
 * Events by name that may make an answer wrong. Until one of them comes, what one visitor was answered
 * serves everybody who may see it.
 */
export interface ChangedBy {
  /** Whatever they are about. */
  any?: readonly string[];
  /** When they are about the very thing that the address names. */
  own?: readonly string[];
}

const None = z.object({});
type None = typeof None;

/** Declares an {@link Endpoint}; what is left out takes no input and adds no failure. */
export function endpoint<
  Answer extends z.ZodType,
  const Who extends Access,
  Params extends z.ZodType = None,
  Query extends z.ZodType = None,
  Body extends z.ZodType = None,
>(
  definition: Pick<Endpoint, 'method' | 'path' | 'summary'> & {
    access: Who;
    answer: Answer;
    params?: Params;
    query?: Query;
    body?: Body;
    status?: 200 | 201;
    rate?: RateLimitName;
    failures?: readonly number[];
    multipart?: boolean;
    idempotent?: boolean;
    changedBy?: ChangedBy;
  },
): Endpoint<Params, Query, Body, Answer, Who> {
  return {
    status: 200,
    rate: undefined,
    failures: [],
    multipart: false,
    idempotent: false,
    changedBy: undefined,
    ...definition,
    params: (definition.params ?? None) as Params,
    query: (definition.query ?? None) as Query,
    body: (definition.body ?? None) as Body,
  };
}

/** `{ id }` in a path. A text that is no UUID is answered like an unknown id: with `unknown`. */
export const idParams = (unknown: string) => z.object({ id: z.uuid(unknown) });
export const UserIdParams = z.object({ userId: z.uuid('User not found') });
