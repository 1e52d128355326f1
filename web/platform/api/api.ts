import { ACCOUNT_GONE, type Call, tooManyTries } from '#contract/platform/http/constants';
import type { EndpointAt } from '#contract/platform/http/endpoint';
import type { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';
import { noteClock } from '#contract/platform/time/constants';
import { noteOwnChange } from '../queries/own-changes.ts';
import {
  isHeld,
  noteRefused,
  notifySessionEnded,
  readToken,
  whenReleased,
} from '../session/session.ts';
import { ApiError, type FieldProblem, SESSION_ENDED } from './api-error.ts';
import { withCommandKey } from './command-keys.ts';

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
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
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
  const send = async (token: string | null, key?: string): Promise<AnswerOf<To>> => {
    if (isHeld(token)) throw sessionEnded();
    const limit = limitedSignal(signal);
    const askedMs = Date.now();
    try {
      const response = await transport(url, {
        method,
        headers: {
          ...headersOf(token, options),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: json }),
        signal: limit.signal,
        ...(options.keepalive ? { keepalive: true } : {}),
      });
      const atMs = Date.parse(response.headers.get('Date') ?? '');
      // The device's clock may be wrong by hours; the server's decides.
      if (!Number.isNaN(atMs)) noteClock(atMs, askedMs, Date.now());
      const text = await response.text();
      return readAnswer(response.status, text, response.headers.get('Retry-After'), token);
    } catch (cause) {
      if (signal?.aborted || cause instanceof ApiError) throw cause;
      throw networkError(cause);
    } finally {
      limit.end();
    }
  };
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

/** What is refused until the person of the page has signed in again. */
const sessionEnded = () =>
  new ApiError('Your session had ended, so this was not done. Please do it again.', {
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

/**
 * Fetches a file of the API, such as a PDF.
 *
 * @throws ApiError on an error status, or no response
 */
export async function fetchFile(
  path: string,
  { query }: { query?: Readonly<Record<string, string>> } = {},
): Promise<Blob> {
  const token = readToken();
  if (isHeld(token)) throw sessionEnded();
  const limit = limitedSignal(undefined);
  try {
    const response = await fetch(apiUrl(path, query ? { query } : {}), {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      signal: limit.signal,
    });
    if (response.ok) return await response.blob();
    const text = await response.text();
    return readAnswer(response.status, text, response.headers.get('Retry-After'), token);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw networkError(cause);
  } finally {
    limit.end();
  }
}

/** Returns a signal that aborts with `signal`, or after {@link ANSWER_TIMEOUT_MS} unless ended before. */
function limitedSignal(signal: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(abort, ANSWER_TIMEOUT_MS);
  return {
    signal: limit.signal,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

function headersOf(token: string | null, { headers }: CallOptions): Record<string, string> {
  return {
    ...headers,
    Accept: 'application/json',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

/** Returns the parsed body of a response. Throws `ApiError` for an error status. */
function readAnswer<Result>(
  status: number,
  text: string,
  retryAfter: string | null,
  token: string | null,
): Result {
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    // For example the HTML page of a proxy; the status is enough then.
  }
  if (status >= 200 && status < 300) {
    if (body === undefined && text !== '') {
      throw new ApiError("We couldn't read the answer. Please try again.", {
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
  if (status === 401) return 'Please sign in to continue.';
  if (status === 403) return "Your account isn't allowed to do this.";
  if (status === 404) return "We couldn't find this.";
  if (status === 413) return 'This is too large to send.';
  if (status === 429) return tooManyTries(waitSeconds);
  if (status >= 500)
    return `${theMarket().name} isn't answering right now. Please try again in a moment.`;
  return 'Something went wrong. Please try again.';
}

function networkError(cause: unknown): ApiError {
  const message = navigator.onLine
    ? `We couldn't reach ${theMarket().name}. Check your connection and try again.`
    : "You're offline. Check your connection and try again.";
  return new ApiError(message, { status: 0, code: 'NETWORK', cause });
}

/**
 * Uploads a form with XMLHttpRequest, because `fetch` reports no upload progress (0 to 1). Rejects
 * with `ApiError`, or with `AbortError` when `signal` aborts.
 */
export function upload<const To extends Call>(
  { method, path }: Known<To>,
  form: FormData,
  options: CallOptions & { onProgress?: (fraction: number) => void } = {},
): Promise<AnswerOf<To>> {
  const token = options.anonymous ? null : readToken();
  return new Promise((resolve, reject) => {
    if (isHeld(token)) return reject(sessionEnded());
    const request = new XMLHttpRequest();
    request.open(method, apiUrl(path));
    for (const [name, value] of Object.entries(headersOf(token, options))) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      try {
        const retryAfter = request.getResponseHeader('Retry-After');
        resolve(readAnswer(request.status, request.responseText, retryAfter, token));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(networkError(undefined));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    if (options.signal?.aborted) return request.onabort(new ProgressEvent('abort'));
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
