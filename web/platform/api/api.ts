import { ACCOUNT_GONE, type Call } from '#contract/platform/http/constants';
import type { EndpointAt } from '#contract/platform/http/endpoint';
import type { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import {
  NOT_ALLOWED,
  SIGN_IN_FIRST,
  tooManyTries,
  withShownNames,
} from '#contract/platform/text/constants/shared-texts';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { noteClock } from '#contract/platform/time/constants';
import { listen } from '../hooks/listen.ts';
import { noteCommand, noteOwnChange } from '../queries/use-changes.ts';
import {
  isHeld,
  noteRefused,
  notifySessionEnded,
  readToken,
  whenReleased,
} from '../session/session.ts';
import { ApiError, type FieldProblem, SESSION_ENDED } from './api-error.ts';
import { noteRelease } from './release.ts';

/** The parts of an endpoint that type its input and its response. */
type Shape = { params: z.ZodType; query: z.ZodType; body: z.ZodType; answer: z.ZodType };

/** An object type without known fields counts as no input. */
type HasFields<Type> = [keyof Type] extends [never]
  ? false
  : string extends keyof Type
    ? false
    : true;

/** `{ [Name]: Type }`: omitted when `Type` has no fields, optional when none is required. */
type Part<Name extends string, Type> =
  HasFields<Type> extends false
    ? unknown
    : Record<never, never> extends Type
      ? { [_ in Name]?: Type }
      : { [_ in Name]: Type };

/** Query parameters by their parsed types; null and the empty string are omitted from the URL. */
type QueryOf<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: Name extends keyof z.output<Schema>
    ? z.output<Schema>[Name] | (undefined extends z.input<Schema>[Name] ? null | undefined : never)
    : never;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Sends no token; a 401 does not end the session. */
  anonymous?: boolean;
  /** Names this write, where its caller remembers the name longer than {@link call} does. */
  idempotencyKey?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sends this token instead of the current one, for what was decided before a sign-out. */
  token?: string | null;
  /** It is kept until it has an answer, and sent again by itself. */
  isKept?: boolean;
  /** Lets the request outlive the page, for bodies below 64 KB. */
  keepalive?: boolean;
};

type InputOf<Endpoint extends Shape> = Part<'params', z.input<Endpoint['params']>> &
  Part<'query', QueryOf<Endpoint['query']>> &
  Part<'body', z.input<Endpoint['body']>> &
  CallOptions;

/** The type of the response body of a call. */
export type AnswerOf<To extends Call> = z.output<EndpointAt<To>['answer']>;

/** The call itself; does not compile unless the contract has an endpoint of its method and path. */
type Known<To extends Call> = To & ([EndpointAt<To>] extends [never] ? never : unknown);

/** The last argument of a call, optional when nothing in it is required. */
type Arguments<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

/** The input of a call to any endpoint. */
type AnyInput = CallOptions & {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
};

/** The time after which a call without an answer fails, so that nobody waits on a dead line for minutes. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Sends a request: `fetch`, or what answers in its place where the server renders a page. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (url, init) => fetch(url, init);

/** Replaces what sends the requests of {@link call}. */
export function setTransport(next: Transport): void {
  transport = next;
}

/** Returns the URL of a call below `/api` with its path and query parameters. */
export function apiUrl(path: string, { params = {}, query = {} }: AnyInput = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const written = String(value ?? '');
    if (written !== '') search.set(name, written);
  }
  const text = search.toString();
  return `/api${filled}${text && `?${text}`}`;
}

/**
 * Calls an endpoint of the API: `call(ordersApi.updateStatus, { params, body })`. Input and response
 * are typed by the contract. Every write of signed-in people carries an `Idempotency-Key`, the same one
 * until the same write has an answer.
 *
 * @throws ApiError on an error status, an unreadable body, or no response
 */
export async function call<const To extends Call>(
  target: Known<To>,
  ...[input]: Arguments<InputOf<EndpointAt<To>>>
): Promise<AnswerOf<To>> {
  const { method, path }: Call = target;
  const { body, signal, ...options } = (input ?? {}) as AnyInput;
  const url = apiUrl(path, options);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const send = (token: string | null, key?: string): Promise<AnswerOf<To>> =>
    request(
      url,
      {
        method,
        token,
        signal,
        headers: {
          ...options.headers,
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(json !== undefined && { body: json }),
        ...(options.keepalive && { keepalive: true }),
      },
      async (response) => readAnswer(response, await response.text(), token),
    );
  const tokenNow = () => (options.anonymous ? null : (options.token ?? readToken()));
  if (method === 'GET') return readWhenReleased(tokenNow, send);
  const token = tokenNow();
  if (token === null) return send(null);
  const answer = await withCommandKey(
    `${method} ${url} ${json}`,
    (key) => send(token, key),
    options.idempotencyKey,
  ).catch((error: unknown) => {
    if (!options.isKept && isHeld(token)) noteRefused();
    throw error;
  });
  noteOwnChange((answer as { data?: unknown }).data);
  return answer;
}

/** The data of an answer. */
type DataOf<To extends Call> = AnswerOf<To> extends { data: infer Data } ? Data : never;

/**
 * Returns the function of a query that reads the data of an endpoint: `queryFn: dataOf(ordersApi.detail, { params })`.
 */
export const dataOf =
  <const To extends Call>(target: Known<To>, ...[input]: Arguments<InputOf<EndpointAt<To>>>) =>
  async ({ signal }: { signal: AbortSignal }): Promise<DataOf<To>> => {
    const answer: unknown = await call(target, ...([{ ...input, signal }] as never));
    return (answer as { data: DataOf<To> }).data;
  };

/** What is refused until the person of the page has signed in again. */
export const sessionEnded = () =>
  new ApiError(t('Your session had ended, so this was not done. Please do it again.'), {
    status: 401,
    code: SESSION_ENDED,
  });

/**
 * Reads, and does so again where the session ends under the page: then the read waits until the person of the page has
 * signed in again, so that what the page shows stays as it is. It fails when somebody else does.
 */
async function readWhenReleased<Answer>(
  tokenNow: () => string | null,
  send: (token: string | null) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const token = tokenNow();
    try {
      return await send(token);
    } catch (error) {
      if (!isHeld(token) || !(await whenReleased())) throw error;
    }
  }
}

type RequestOptions = Omit<RequestInit, 'headers' | 'signal'> & {
  token: string | null;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
};

/**
 * Sends a request and reads its response.
 *
 * @throws ApiError without a response, which is waited for no longer than {@link ANSWER_TIMEOUT_MS}, and what `read`
 * throws
 */
export async function request<Result>(
  url: string,
  { token, signal, headers, ...init }: RequestOptions,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  if (isHeld(token)) throw sessionEnded();
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  const stopListening = signal && listen(signal, ['abort'], abort);
  const timer = setTimeout(abort, ANSWER_TIMEOUT_MS);
  const askedMs = Date.now();
  try {
    const response = await transport(url, {
      ...init,
      headers: headersOf(token, headers),
      signal: limit.signal,
    });
    noteRelease(response.headers.get('X-Release'));
    const atMs = Date.parse(response.headers.get('date') ?? '');
    // The device's clock may be wrong by hours; the server's decides.
    if (!Number.isNaN(atMs)) noteClock(atMs, askedMs, Date.now());
    return await read(response);
  } catch (cause) {
    if (signal?.aborted || cause instanceof ApiError) throw cause;
    throw networkError(cause);
  } finally {
    clearTimeout(timer);
    stopListening?.();
  }
}

export const headersOf = (
  token: string | null,
  headers?: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...headers,
  Accept: 'application/json',
  // The browser's own may be others than the one that the page is read in.
  'Accept-Language': theReader().language,
  ...(token && { Authorization: `Bearer ${token}` }),
});

/** Returns the parsed body of a response. Throws `ApiError` for an error status. */
export function readAnswer<Result>(
  { status, headers }: { status: number; headers: Pick<Headers, 'get'> },
  text: string,
  token: string | null,
): Result {
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(withShownNames(text));
  } catch {
    // For example the HTML page of a proxy; the status is enough then.
  }
  if (status >= 200 && status < 300) {
    if (body === undefined && text !== '') {
      throw new ApiError(t("We couldn't read the answer. Please try again."), {
        status,
        code: 'UNREADABLE',
      });
    }
    return body as Result;
  }
  const refusal = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: unknown;
    code?: unknown;
    errors?: unknown;
  };
  if (status === 401 && token) {
    notifySessionEnded(token, refusal.code === ACCOUNT_GONE);
    if (isHeld(token)) throw sessionEnded();
  }
  const retryAfter = headers.get('Retry-After');
  const seconds = Number(retryAfter);
  const waitSeconds = retryAfter && Number.isFinite(seconds) ? seconds : undefined;
  throw new ApiError(
    typeof refusal.message === 'string' && refusal.message
      ? refusal.message
      : defaultMessage(status, waitSeconds),
    {
      status,
      code: typeof refusal.code === 'string' ? refusal.code : `HTTP_${status}`,
      errors: Array.isArray(refusal.errors) ? refusal.errors.filter(isFieldProblem) : [],
      retryAfter: waitSeconds,
      details: body,
    },
  );
}

function isFieldProblem(value: unknown): value is FieldProblem {
  const problem = value as Partial<FieldProblem> | null;
  return typeof problem?.path === 'string' && typeof problem.message === 'string';
}

function defaultMessage(status: number, waitSeconds: number | undefined): string {
  if (status === 401) return writeMessage(SIGN_IN_FIRST);
  if (status === 403) return writeMessage(NOT_ALLOWED);
  if (status === 404) return t("We couldn't find this.");
  if (status === 413) return t('This is too large to send.');
  if (status === 429) return writeMessage(tooManyTries(waitSeconds));
  return status >= 500 ? notAnswering() : t('Something went wrong. Please try again.');
}

const notAnswering = (): string =>
  t("{market} isn't answering right now. Please try again in a moment.", {
    market: theMarket().name,
  });

export function networkError(cause: unknown): ApiError {
  // Where the machine has a network it is rather the market that is away.
  const message = navigator.onLine
    ? notAnswering()
    : t("You're offline. Check your connection and try again.");
  return new ApiError(message, { status: 0, code: 'NETWORK', cause });
}

/**
 * How long a write without an answer keeps its key, in milliseconds. The same request much later
 * is a new command.
 */
const KEEP_MS = 10 * 60_000;
/** Writes without an answer whose keys are kept. */
const KEPT_MAX = 50;

/** Keys of writes that had no answer, the oldest first. */
const kept = new Map<string, { key: string; until: number }>();

/**
 * Sends a write with an `Idempotency-Key`. A write that has no answer keeps its key, so that the same write
 * again, by a retry or by hand, takes effect once.
 * @param write all that distinguishes it from another one
 * @param own the key, where the caller remembers it
 * @throws whatever `send` throws
 */
async function withCommandKey<Answer>(
  write: string,
  send: (key: string) => Promise<Answer>,
  own?: string,
): Promise<Answer> {
  const key = own ?? keyOf(write);
  noteCommand(key);
  try {
    const answer = await send(key);
    kept.delete(write);
    return answer;
  } catch (error) {
    // Refused, it had no effect. Aborted or without an answer, it may have had one.
    if (error instanceof ApiError && !error.isTemporary) kept.delete(write);
    else keep(write, key);
    throw error;
  }
}

function keyOf(write: string): string {
  const known = kept.get(write);
  return known && Date.now() < known.until ? known.key : newId();
}

function keep(write: string, key: string): void {
  if (kept.get(write)?.key === key) return;
  kept.delete(write);
  kept.set(write, { key, until: Date.now() + KEEP_MS });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}

/**
 * Returns a random UUID (v4). Browsers have no `crypto.randomUUID` on pages served over plain http
 * from another machine.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
