import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// Pages are loaded when they are asked for, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** A call as it left the page. */
export type Call = { method: string; path: string; body: unknown; token: string | null };
/** What comes back: a status and a body, or nothing at all when the network is away. */
export type Reply = { status: number; body: unknown } | 'no answer';

/**
 * Stands where the network begins. `replies` tells what comes back for each 'METHOD /path' below
 * `/api`, without its query; what is not listed is an unknown address. Returns the calls as they
 * are made. Undo with `vi.unstubAllGlobals()`.
 */
export function network(
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
    };
    calls.push(call);
    const found = replies[`${call.method} ${path}`] ?? refusal(404, 'There is nothing here.');
    const reply = typeof found === 'function' ? await found(call) : found;
    if (reply === 'no answer') throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(reply.body), { status: reply.status });
  });
  return calls;
}

/** A refusal in the form the server gives it. */
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

/** An empty list as the server answers it. */
export const nothing: Reply = {
  status: 200,
  body: { success: true, data: [], count: 0, nextCursor: null },
};
