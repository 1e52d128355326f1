import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scaled, until, WAIT_MS } from '../../testing/until.ts';

/** True for the long form (`npm run test:faults`); `npm test` runs the short one. */
export const isFullRun = process.env.FAULTS === 'full';

/** Returns the value for the short or the long form of a test. */
export const sized = <T>(short: T, full: T): T => (isFullRun ? full : short);

/** How long a busy machine may stand still in the short form, whatever is measured. */
const STANDSTILL_MS = 5000;

/**
 * Returns the upper bound of a duration in milliseconds. The short form runs on any machine, beside another test,
 * so its bound is six times as long, and a standstill more, on a quick machine.
 */
export const maxMs = (ms: number): number => sized(scaled(6 * ms + STANDSTILL_MS), ms);

/** Prints a measured result on its own line. */
export function printFigure(name: string, text: string): void {
  console.log(`FIGURE ${name}: ${text}`);
}

/** Formats milliseconds as seconds. */
export const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns the value below which `share` (0 to 1) of a list lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Opens the market's database directly; broken connections are replaced. */
export function openDatabase(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  return pool;
}

/** A response; without one the status is 0 and `error` holds the connection's error. */
export interface Answer {
  status: number;
  /** Seconds, from `Retry-After`. */
  retryAfter: number | undefined;
  // Responses have many shapes; the tests' assertions check them.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  error: string | undefined;
  askedAt: number;
  ms: number;
}

/** Calls the API; never throws. */
export async function callApi(
  url: string,
  method: string,
  pathname: string,
  options: { token?: string; body?: unknown; key?: string; withinMs?: number } = {},
): Promise<Answer> {
  const askedAt = Date.now();
  const outcome = { retryAfter: undefined, body: undefined, error: undefined, askedAt };
  try {
    const response = await fetch(`${url}/api${pathname}`, {
      method,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(options.withinMs ?? WAIT_MS),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return {
      ...outcome,
      status: response.status,
      retryAfter: retryAfter === null ? undefined : Number(retryAfter),
      body: text.startsWith('{') ? JSON.parse(text) : text,
      ms: Date.now() - askedAt,
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { ...outcome, status: 0, error: cause?.code ?? message, ms: Date.now() - askedAt };
  }
}

/**
 * Repeats a call while the server asks for it, as clients do: a busy machine is slow to answer. A command has a key, by
 * which its repeat is known.
 */
export const whenServed = (ask: () => Promise<Answer>): Promise<Answer> =>
  until('an answer other than 503', async () => {
    const answer = await ask();
    return answer.status === 503 ? undefined : answer;
  });

interface OrderOptions {
  token: string;
  product: { id: string; farmer: string };
  key?: string;
  quantity?: number;
}

const DAY_MS = 86_400_000;

/** Returns the next Saturday from tomorrow on, `YYYY-MM-DD`, when the farms of the demo market are open at ten. */
export function nextSaturday(): string {
  const tomorrow = new Date(Date.now() + DAY_MS);
  const days = (6 - tomorrow.getUTCDay() + 7) % 7;
  return new Date(tomorrow.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Places an order of one line for a pickup on the next Saturday. */
export const order = (url: string, { token, product, key, quantity = 1 }: OrderOptions) =>
  callApi(url, 'POST', '/orders', {
    token,
    key: key ?? randomUUID(),
    body: {
      farmer: product.farmer,
      items: [{ product: product.id, quantity }],
      pickupDetails: {
        date: nextSaturday(),
        time: '10:00',
        location: 'Farm gate',
      },
    },
  });

/** Runs `act` repeatedly in so many concurrent clients, with a pause in between, until it is stopped. */
export function startLoad(
  clients: number,
  pauseMs: number,
  act: (client: number) => Promise<unknown>,
) {
  let isStopped = false;
  const work = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (!isStopped) {
        await act(client);
        await sleep(pauseMs);
      }
    }),
  );
  return {
    /** Waits until the running calls have finished. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await work;
    },
  };
}
