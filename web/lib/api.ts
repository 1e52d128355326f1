import { ApiError, type FieldProblem } from './api-error.ts';
import { readToken, sessionEnded } from './session.ts';

/** The whole answer about one thing. */
export type Answer<Data> = { success: true; data: Data };

/** The whole answer about a part of a list; `nextCursor` is null at its end. */
export type ListAnswer<Item> = Answer<Item[]> & { count: number; nextCursor: string | null };

type QueryValue = string | number | boolean | null | undefined;

export type CallOptions = {
  /** Query parameters; what is empty, null or undefined is left out. */
  query?: Readonly<Record<string, QueryValue>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Send no token, and read a 401 as an answer, not as the end of the session. */
  anonymous?: boolean;
};

/** The address of a call below `/api`, with its query. */
export function apiUrl(path: string, query: CallOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `/api${path}${text && `?${text}`}`;
}

async function call<Result>(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Result> {
  const token = options.anonymous ? null : readToken();
  let response: Response;
  try {
    response = await fetch(apiUrl(path, options.query), {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw noAnswer(cause);
  }
  const text = await response.text().catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw noAnswer(cause);
  });
  return understood<Result>(response.status, text, response.headers.get('Retry-After'), token);
}

/** Turns an answer into its body, or throws the `ApiError` that it means. */
function understood<Result>(
  status: number,
  text: string,
  retryAfter: string | null,
  token: string | null,
): Result {
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    // A proxy's page, say. The status tells enough.
  }
  if (status >= 200 && status < 300) {
    if (body === undefined && text !== '') {
      throw new ApiError('The answer could not be read. Please try again.', {
        status,
        code: 'UNREADABLE',
      });
    }
    return body as Result;
  }
  if (status === 401 && token) sessionEnded(token);
  const told = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: unknown;
    code?: unknown;
    errors?: unknown;
  };
  const seconds = Number(retryAfter);
  throw new ApiError(
    typeof told.message === 'string' && told.message ? told.message : plainSentence(status),
    {
      status,
      code: typeof told.code === 'string' ? told.code : `HTTP_${status}`,
      errors: Array.isArray(told.errors) ? told.errors.filter(isFieldProblem) : [],
      retryAfter: retryAfter && Number.isFinite(seconds) ? seconds : undefined,
      details: body,
    },
  );
}

function isFieldProblem(value: unknown): value is FieldProblem {
  const problem = value as Partial<FieldProblem> | null;
  return typeof problem?.path === 'string' && typeof problem.message === 'string';
}

function plainSentence(status: number): string {
  if (status === 401) return 'Please sign in to continue.';
  if (status === 403) return 'Your account may not do this.';
  if (status === 404) return 'This could not be found.';
  if (status === 413) return 'This is too large to send.';
  if (status === 429) return 'That was a lot at once. Please wait a moment and try again.';
  if (status >= 500) return 'The market is not answering right now. Please try again in a moment.';
  return 'Something went wrong. Please try again.';
}

function noAnswer(cause: unknown): ApiError {
  return new ApiError('No answer from the market. Check your connection and try again.', {
    status: 0,
    code: 'NETWORK',
    cause,
  });
}

/**
 * Sends files with their progress (0 to 1), which `fetch` cannot tell. Throws `ApiError`, and
 * `AbortError` when `signal` ends it.
 */
function upload<Result>(
  path: string,
  form: FormData,
  options: CallOptions & { onProgress?: (part: number) => void } = {},
): Promise<Result> {
  const token = options.anonymous ? null : readToken();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', apiUrl(path, options.query));
    request.setRequestHeader('Accept', 'application/json');
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      try {
        const retryAfter = request.getResponseHeader('Retry-After');
        resolve(understood<Result>(request.status, request.responseText, retryAfter, token));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(noAnswer(undefined));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    if (options.signal?.aborted) return request.onabort(new ProgressEvent('abort'));
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** The market's API. Each call answers with the whole body, and throws `ApiError` otherwise. */
export const api = {
  get: <Result>(path: string, options?: CallOptions) =>
    call<Result>('GET', path, undefined, options),
  post: <Result>(path: string, body?: unknown, options?: CallOptions) =>
    call<Result>('POST', path, body, options),
  put: <Result>(path: string, body?: unknown, options?: CallOptions) =>
    call<Result>('PUT', path, body, options),
  del: <Result>(path: string, { body, ...options }: CallOptions & { body?: unknown } = {}) =>
    call<Result>('DELETE', path, body, options),
  upload,
};
