import { onTestFinished, vi } from 'vitest';
import type { User } from '#contract/people/users/users';
import { setReader } from '#contract/platform/text/constants/reader';
import { loadCatalogue } from '../format/catalogues.ts';

/** Has a reader of another language until the test ends. */
export async function readIn(language: string): Promise<void> {
  const { reader, whenWhole } = await loadCatalogue(language);
  await whenWhole;
  setReader(() => reader);
  onTestFinished(() => setReader(() => undefined));
}

/** A call that the page made. */
export type Call = {
  method: string;
  path: string;
  body: unknown;
  token: string | null;
  /** The `Idempotency-Key`. */
  key: string | null;
};
/** The response: a status and a body, or none when the network is away. */
export type Reply = { status: number; body: unknown } | 'no answer';

/**
 * Replaces `fetch`. `replies` maps 'METHOD /path' below `/api`, with the query or without, to a response;
 * other paths get a 404. Returns the list of calls, which grows. Undo with `vi.unstubAllGlobals()`.
 */
export function stubNetwork(
  replies: Record<string, Reply | ((call: Call) => Reply | Promise<Reply>)>,
): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace(/^\/api/, '').replace(/\?.*/, '');
    const call: Call = {
      method: init.method ?? 'GET',
      path,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      token: new Headers(init.headers).get('Authorization')?.replace('Bearer ', '') ?? null,
      key: new Headers(init.headers).get('Idempotency-Key'),
    };
    calls.push(call);
    const whole = replies[`${call.method} ${url.replace(/^\/api/, '')}`];
    const found =
      whole ?? replies[`${call.method} ${path}`] ?? refusal(404, 'There is nothing here.');
    const reply = typeof found === 'function' ? await found(call) : found;
    if (reply === 'no answer') throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(reply.body), { status: reply.status });
  });
  return calls;
}

/** Returns an error response in the server's format. */
export function refusal(
  status: number,
  message: string,
  errors?: { path: string; message: string }[],
): Reply {
  return {
    status,
    body: { success: false, message, code: `CODE_${status}`, ...(errors && { errors }) },
  };
}

/** The server's response for an empty list. */
export const emptyList: Reply = {
  status: 200,
  body: { success: true, data: [], count: 0, nextCursor: null },
};

/** Returns a user fixture of a role. */
export function aUser(role: User['role'], name = 'Ada Lovelace'): User {
  return {
    _id: `00000000-0000-4000-8000-00000000000${['consumer', 'farmer', 'admin'].indexOf(role)}`,
    name,
    email: `${role}@farmgate.test`,
    role,
    phone: '',
    address: { street: '', city: '', state: '', zipCode: '' },
    createdAt: '2026-01-05T10:00:00.000Z',
  };
}

/** A string in the format of a token. */
export const aToken = 'aaa.bbb.ccc';
