import { io, type Socket } from 'socket.io-client';
import { call } from './call.ts';
import { median, percentile, round } from './report.ts';

// How long it takes from a change of an order to the consumer's socket, at a steady rate.

type Change = (id: string) => Promise<{ status: number; body: string }>;

/** How long each rate is held. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

export function connect(url: string, auth: Record<string, string>): Promise<Socket> {
  const socket = io(url, { auth, transports: ['websocket'] });
  return new Promise((resolve) => socket.once('synced', () => resolve(socket)));
}

/** Lets the floor emit the payload that the market sends. */
export const emitOf =
  (url: string, sample: object): Change =>
  (id) =>
    call('POST', `${url}/emit?room=consumer&event=order.updated&order=${id}`, {
      ...sample,
      _id: id,
    });

/** Returns milliseconds from request to event for these orders, so many of them a second. */
export async function timesAtRate(
  rate: number,
  socket: Socket,
  ids: readonly string[],
  change: Change,
): Promise<number[]> {
  const startedAt = new Map<string, number>();
  const times: number[] = [];
  const onUpdate = (envelope: { data?: { _id: string }; _id?: string }) => {
    const started = startedAt.get(envelope.data?._id ?? envelope._id ?? '');
    if (started !== undefined) times.push(performance.now() - started);
  };
  socket.on('order.updated', onUpdate);
  const begin = performance.now();
  await Promise.all(
    ids.map(async (id, index) => {
      const due = begin + (index * 1000) / rate;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      startedAt.set(id, performance.now());
      const { status, body } = await change(id);
      if (status >= 300) throw new Error(`${status}: ${body}`);
    }),
  );
  while (times.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.off('order.updated', onUpdate);
  return times;
}

/** Returns the figures of all rounds at a rate, and their row of the report. */
export function figuresOf(rate: number, measured: { farmgate: number[][]; floor: number[][] }) {
  const p = (rounds: number[][], part: number) =>
    median(rounds.map((times) => percentile(times, part)));
  const { farmgate, floor } = measured;
  const [p50, p99, floor50, floor99] = [
    p(farmgate, 0.5),
    p(farmgate, 0.99),
    p(floor, 0.5),
    p(floor, 0.99),
  ];
  const row = {
    'a second': rate,
    'p50 ms': round(p50),
    'p99 ms': round(p99),
    'floor p50 ms': round(floor50),
    'floor p99 ms': round(floor99),
  };
  return { row, p50, p99, floor50 };
}
