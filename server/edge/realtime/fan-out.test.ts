import { expect, it } from 'vitest';
import { room } from '#contract/platform/events/constants';
import type { LoggedEvent } from '../../platform/events/event-log.ts';
import { ClosedFarms } from './closed-farms.ts';
import { createFanOut, type SocketServer } from './fan-out.ts';

const EPOCH = '11111111-1111-4111-8111-111111111111';
/** None is closed, and none is looked for. */
const FARMS = new ClosedFarms({} as never);

/** Blocks the event loop, as writing to sockets does. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** Creates a server with `count` sockets in the public room, and records the size of each write. */
function crowd(count: number, msPerWrite: number) {
  const ids = Array.from({ length: count }, (_, index) => `socket-${index}`);
  const written: string[][] = [];
  const namespace = {
    adapter: { rooms: new Map([[room.everyone, new Set(ids)]]) },
    sockets: new Map(ids.map((id) => [id, {}])),
  };
  const io = {
    of: () => namespace,
    to: (rooms: string[]) => ({
      emit: () => {
        work(msPerWrite);
        written.push(rooms);
      },
    }),
  } as unknown as SocketServer;
  return { io, ids, written };
}

const event = (seq: number): LoggedEvent => ({
  seq,
  id: '00000000-0000-4000-8000-000000000001',
  at: new Date().toISOString(),
  requestId: null,
  name: 'category.changed',
  data: { _id: '00000000-0000-4000-8000-000000000002' },
  rooms: [room.everyone],
});

/** Counts the event loop turns during `task`. */
async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  isOver = true;
  return turns;
}

it('writes one event to thousands of sockets, each once, and yields in between', async () => {
  const { io, ids, written } = crowd(5000, 6);
  const turns = await turnsDuring(() => createFanOut(io, EPOCH, FARMS).deliver(event(1)));
  expect(written.flat()).toEqual(ids);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(250);
  // 20 slices of 6 ms: at most two of them in one turn.
  expect(turns).toBeGreaterThanOrEqual(8);
});

it('yields between many events too', async () => {
  const { io, written } = crowd(10, 1);
  const fanOut = createFanOut(io, EPOCH, FARMS);
  const turns = await turnsDuring(async () => {
    for (let seq = 1; seq <= 200; seq++) await fanOut.deliver(event(seq));
  });
  expect(written).toHaveLength(200);
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('emits resync to every socket in slices', async () => {
  const { io, ids, written } = crowd(1000, 0);
  await createFanOut(io, EPOCH, FARMS).resyncAll(7);
  expect(written.flat()).toEqual(ids);
  expect(written).toHaveLength(4);
});
