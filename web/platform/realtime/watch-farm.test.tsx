// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Emit, setEmitter } from '../api/connection.ts';
import { useWatchFarm } from './watch.ts';

const [FIRST, SECOND] = ['farm-1', 'farm-2'];

/** What was sent over the connection, and how the server acknowledges it. */
type Sent = { farmIds: string[]; acknowledge: () => void };
let sent: Sent[];
const connect = () => {
  const emit = (name: string, { farmIds }: { farmIds: string[] }, acknowledge: () => void) => {
    if (name === 'farms.watch') sent.push({ farmIds, acknowledge });
  };
  setEmitter(emit as Emit);
};

function Watcher({ farmId, onWatched }: { farmId: string; onWatched: () => void }) {
  useWatchFarm(farmId, onWatched);
  return null;
}

beforeEach(() => {
  sent = [];
  connect();
});
afterEach(() => void setEmitter(undefined));

it('calls back once the subscription holds, and again after each reconnection', async () => {
  const onWatched = vi.fn();
  render(<Watcher farmId={FIRST} onWatched={onWatched} />);
  await vi.waitFor(() => expect(sent.map(({ farmIds }) => farmIds)).toEqual([[FIRST]]));
  expect(onWatched).not.toHaveBeenCalled();
  sent[0]?.acknowledge();
  expect(onWatched).toHaveBeenCalledTimes(1);

  setEmitter(undefined);
  connect();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.farmIds).toEqual([FIRST]);
  sent[1]?.acknowledge();
  expect(onWatched).toHaveBeenCalledTimes(2);
});

it('sends the farms of all that is shown as one list, and stops with the last of them', async () => {
  const [one, two] = [vi.fn(), vi.fn()];
  const { rerender } = render(
    <>
      <Watcher farmId={FIRST} onWatched={one} />
      <Watcher key="two" farmId={SECOND} onWatched={two} />
    </>,
  );
  await vi.waitFor(() => expect(sent.at(-1)?.farmIds).toEqual([FIRST, SECOND]));
  rerender(<Watcher key="two" farmId={SECOND} onWatched={two} />);
  await vi.waitFor(() => expect(sent.at(-1)?.farmIds).toEqual([SECOND]));
  sent.at(-1)?.acknowledge();
  expect(one).not.toHaveBeenCalled();
  expect(two).toHaveBeenCalled();
  rerender(<Watcher key="none" farmId="" onWatched={two} />);
  await vi.waitFor(() => expect(sent.at(-1)?.farmIds).toEqual([]));
});
