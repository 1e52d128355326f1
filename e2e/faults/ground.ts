import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Whether the long form was asked for (`npm run test:faults`); `npm test` runs the short one. */
export const isFull = process.env.FAULTS === 'full';

/** One of two sizes of the same test. */
export const sized = <T>(short: T, full: T): T => (isFull ? full : short);

/**
 * The longest that something may take, in milliseconds. The short form runs on machines of every kind,
 * with other tests beside it, and has four times as long.
 */
export const bound = (ms: number): number => sized(4 * ms, ms);

/** Prints what a test measured, on a line of its own. */
export function figure(name: string, text: string): void {
  console.log(`FIGURE ${name}: ${text}`);
}

/** Milliseconds as seconds, for a figure. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The value that so much of a list lies below, `share` being between 0 and 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A look into the market's database from beside it; a connection that breaks is replaced. */
export function openBackDoor(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  return pool;
}

/** An answer, or none: then the status is 0 and `error` says what became of the connection. */
export interface Answer {
  status: number;
  /** Seconds, from `Retry-After`. */
  retryAfter: number | undefined;
  // Tests look into answers of every form; their assertions are what checks it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  error: string | undefined;
  askedAt: number;
  ms: number;
}

/** Asks the API; never throws. */
export async function ask(
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
      signal: AbortSignal.timeout(options.withinMs ?? 60_000),
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

interface Buying {
  token: string;
  product: { id: string; farmer: string };
  key?: string;
  quantity?: number;
}

/** Places an order of one line, to be picked up tomorrow. */
export const order = (url: string, { token, product, key, quantity = 1 }: Buying) =>
  ask(url, 'POST', '/orders', {
    token,
    key: key ?? randomUUID(),
    body: {
      farmer: product.farmer,
      items: [{ product: product.id, quantity }],
      pickupDetails: {
        date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
        time: '10:00',
        location: 'Farm gate',
      },
    },
  });

/** Has so many hands do something over and over, each with a pause between, until it is stopped. */
export function keepBusy(hands: number, pauseMs: number, act: (hand: number) => Promise<unknown>) {
  let isOver = false;
  const work = Promise.all(
    Array.from({ length: hands }, async (_, hand) => {
      while (!isOver) {
        await act(hand);
        await sleep(pauseMs);
      }
    }),
  );
  return {
    /** Waits until what was begun is finished. */
    stop: async (): Promise<void> => {
      isOver = true;
      await work;
    },
  };
}
