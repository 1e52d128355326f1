// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attention } from '#contract/ordering/attention/attention';
import { Providers } from '../../app/Providers.tsx';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { anAttention } from '../../platform/testing/attentions.ts';
import { aToken, aUser, type Reply, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { announcementAtom } from '../../platform/ui/feedback/announce.ts';
import { soundAllowedAtom, soundAtom, soundStateAtom } from '../../platform/ui/feedback/sound.ts';
import AttentionSheet from './AttentionSheet.tsx';
import { attentionReducers } from './events.ts';
import { endTry } from './ringing.ts';
import { useRung } from './use-rung.ts';

const rings = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('../../platform/ui/feedback/sound.ts', async (original) => ({
  ...(await original<object>()),
  ringInOneTab: rings,
}));

const me = aUser('farmer');
const ann = { _id: 'ann', name: 'Ann' };
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const acknowledgedBy = (by: { _id: string; name: string }, version = 2) =>
  anAttention(1, {
    state: 'acknowledged',
    acknowledged: { by, at: new Date().toISOString() },
    rings: [],
    version,
  });

const acknowledged3 = anAttention(3, {
  state: 'acknowledged',
  acknowledged: { by: ann, at: '2026-11-02T10:00:00.000Z' },
  rings: [],
});

let open: Attention[];
let cache: ReturnType<typeof createQueryClient>;

/** What an event brings. */
const happens = (data: Attention) =>
  act(async () => {
    open = [...open.filter(({ _id }) => _id !== data._id), data];
    attentionReducers['attention.changed'](cache, { data } as never);
  });

function Rung({ path }: { path: string }) {
  const { isMarked, ...rung } = useRung(me._id, path);
  return (
    <>
      {isMarked && <i>marked</i>}
      <AttentionSheet {...rung} />
    </>
  );
}

function show(replies: Parameters<typeof stubNetwork>[0] = {}, path = '/farmer/products') {
  const calls = stubNetwork({
    'GET /attention': () => one(open.filter(({ state }) => state !== 'resolved')),
    'POST /attention/seen': one(null),
    ...replies,
  });
  render(
    <Providers client={cache}>
      <Rung path={path} />
    </Providers>,
  );
  return calls;
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  rings.mockClear();
  cache = createQueryClient();
  store.set(tokenAtom, aToken);
  store.set(userAtom, me);
  store.set(soundAtom, true);
  store.set(soundStateAtom, 'ready');
  open = [anAttention(1)];
});
afterEach(() => {
  cleanup();
  endTry();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const sheet = () => screen.findByRole('complementary', { name: 'Waiting for you' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('while something rings me', () => {
  it('rings again and again, until somebody else is on it', async () => {
    show();
    await sheet();
    expect(screen.getByText('New order from Cora Buyer')).toBeTruthy();
    expect(rings).toHaveBeenCalledTimes(1);
    await act(() => vi.advanceTimersByTimeAsync(12_100));
    expect(rings).toHaveBeenCalledTimes(4);
    await happens(acknowledgedBy(ann));
    await screen.findByText('Ann is on it');
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(rings).toHaveBeenCalledTimes(4);
    expect(screen.queryByRole('button', { name: /I'm on it/ })).toBeNull();
    // What somebody is on may be put away.
    fireEvent.click(button('Close'));
    expect(screen.queryByRole('complementary')).toBeNull();
    // It waits again, and rings again.
    await happens(anAttention(1, { version: 3 }));
    await waitFor(() => expect(rings).toHaveBeenCalledTimes(5));
  });

  it('goes with what it was about, and rings for nobody else', async () => {
    open = [
      anAttention(1),
      anAttention(2, { rings: ['ann'] }),
      anAttention(3, { state: 'exhausted' }),
    ];
    show();
    await sheet();
    expect(button("I'm on it")).toBeTruthy();
    await happens(anAttention(1, { state: 'resolved', rings: [], version: 2 }));
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(rings).toHaveBeenCalledTimes(1);
  });

  it('becomes small, but does not go', async () => {
    open = [anAttention(1), anAttention(2)];
    show();
    await sheet();
    fireEvent.click(button('Make it small'));
    expect(screen.queryByRole('button', { name: /I'm on all 2/ })).toBeNull();
    expect(screen.getByText('New order from Cora Buyer')).toBeTruthy();
    expect(screen.getByText('+1')).toBeTruthy();
    fireEvent.click(button('Show what waits'));
    expect(button(/I'm on all 2/)).toBeTruthy();
  });

  it('shows the oldest first, and how many come after the next three', async () => {
    open = [1, 2, 3, 4, 5, 6].map((number) =>
      anAttention(number, { createdAt: `2026-11-02T10:0${number}:00.000Z` }),
    );
    show();
    await sheet();
    expect(screen.getByRole('link', { name: 'Open the order' }).getAttribute('href')).toBe(
      open[0]?.link,
    );
    expect(screen.getAllByRole('listitem')).toHaveLength(4);
    expect(screen.getByText('and 2 more')).toBeTruthy();
  });

  it('is announced once each', async () => {
    show();
    await sheet();
    const announced: string[] = [];
    const stop = store.sub(announcementAtom, () => announced.push(store.get(announcementAtom)));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    await happens(anAttention(1, { step: 2, version: 2 }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await happens(anAttention(2));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    stop();
    expect(announced.filter((text) => text !== '')).toEqual([
      'New order from Cora Buyer. It waits for your answer.',
      'New order from Cora Buyer. It waits for your answer.',
    ]);
  });

  it('shows a bell in the title where it cannot sound, and says why', async () => {
    store.set(soundStateAtom, 'blocked');
    show();
    await sheet();
    expect(screen.getByText('Your browser lets this page ring once you tap it.')).toBeTruthy();
    await screen.findByText('marked');
    act(() => store.set(soundStateAtom, 'ready'));
    expect(screen.queryByText('marked')).toBeNull();
  });
});

describe("“I'm on it”", () => {
  it('is shown once the server has said it, by the name of the first', async () => {
    const calls = show({
      'POST /attention/ack': () => {
        // Ann was quicker.
        open = [acknowledgedBy(ann)];
        return one([{ _id: open[0]?._id, state: 'acknowledged', by: ann, at: null }]);
      },
    });
    await sheet();
    fireEvent.click(button(/I'm on it/));
    expect(screen.queryByText("You're on it")).toBeNull();
    await screen.findByText('Ann is on it');
    expect(calls.find(({ path }) => path === '/attention/ack')?.body).toEqual({
      ids: [anAttention(1)._id],
    });
  });

  it('by its key takes all that ring', async () => {
    open = [anAttention(1), anAttention(2)];
    const calls = show({ 'POST /attention/ack': one([]) });
    await sheet();
    fireEvent.keyDown(document.body, { key: 'i' });
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/attention/ack')?.body).toEqual({
        ids: open.map(({ _id }) => _id),
      }),
    );
  });

  it.each([
    ['no answer' as const, /doesn't know yet that you're on it/],
    [refusal(500, 'The market is busy.'), /The market is busy\./],
  ])('rings on where it did not get through: %j', async (reply, words) => {
    show({ 'POST /attention/ack': reply });
    await sheet();
    fireEvent.click(button(/I'm on it/));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(words));
    const before = rings.mock.calls.length;
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    expect(rings.mock.calls.length).toBeGreaterThan(before);
    expect(button(/I'm on it/)).toBeTruthy();
  });
});

it('takes all that ring, however many', async () => {
  open = Array.from({ length: 250 }, (_, index) => anAttention(index + 1));
  const calls = show({ 'POST /attention/ack': () => one([]) });
  fireEvent.click(await screen.findByRole('button', { name: /I'm on all 250/ }));
  const acknowledged = () =>
    calls
      .filter(({ path }) => path === '/attention/ack')
      .map(({ body }) => (body as { ids: string[] }).ids.length);
  await waitFor(() => expect(acknowledged()).toEqual([100, 100, 50]));
});

describe('what was seen', () => {
  const seen = (calls: ReturnType<typeof show>) =>
    calls.filter(({ path }) => path === '/attention/seen').map(({ body }) => body);
  const look = (isLooking: boolean) => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(isLooking);
    act(() => void window.dispatchEvent(new Event(isLooking ? 'focus' : 'blur')));
  };
  /** No two of these tests have the same, because a page says it once. */
  const fresh = (number: number, over: Partial<Attention> = {}) => anAttention(900 + number, over);

  it('is what stood for a second in a page that has the focus, said once', async () => {
    open = [fresh(1), fresh(2)];
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const calls = show();
    await sheet();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(seen(calls)).toEqual([]);
    look(true);
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(seen(calls)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(200));
    await waitFor(() => expect(seen(calls)).toEqual([{ ids: [fresh(1)._id, fresh(2)._id] }]));
    look(false);
    look(true);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(seen(calls)).toHaveLength(1);
  });

  it('is said again of what asks again', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    const again = fresh(5);
    open = [again];
    const calls = show();
    await waitFor(() => expect(seen(calls)).toHaveLength(1));
    await happens({ ...again, seenAt: '2026-11-02T10:00:00.000Z', version: 2 });
    await act(() => vi.advanceTimersByTimeAsync(100));
    await happens({ ...again, seenAt: null, round: 2, version: 3 });
    await waitFor(() => expect(seen(calls)).toHaveLength(2));
  });

  it('is also what rings somebody else, once its page is opened', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    const quiet = fresh(3, { rings: [], link: '/orders/its-own' });
    open = [quiet, fresh(4, { rings: [] })];
    const calls = show({}, '/orders/its-own');
    await waitFor(() => expect(seen(calls)).toEqual([{ ids: [quiet._id] }]));
  });
});

describe('trying it out', () => {
  const tried = (at: string) =>
    attentionReducers['attention.tried'](cache, { data: { at } } as never);
  it('rings for a while, and not where it comes late', async () => {
    open = [];
    show();
    tried(new Date(Date.now() - 31_000).toISOString());
    tried(new Date().toISOString());
    await screen.findByText('This is how a new order rings');
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(rings).toHaveBeenCalledTimes(3);
    expect(screen.queryByText('This is how a new order rings')).toBeNull();
    tried(new Date(Date.now() - 31_000).toISOString());
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(rings).toHaveBeenCalledTimes(3);
  });
});

describe('the tap without which this browser does not ring', () => {
  it('is asked for once on a device', async () => {
    open = [];
    store.set(soundAllowedAtom, false);
    store.set(soundStateAtom, 'blocked');
    show();
    await screen.findByRole('button', { name: /^Tap to let it ring/ });
    act(() => {
      store.set(soundStateAtom, 'ready');
      store.set(soundAllowedAtom, true);
    });
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    // The next page is blocked again, and says so only while something rings.
    act(() => store.set(soundStateAtom, 'blocked'));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('is not asked for where the sound is off', async () => {
    open = [];
    store.set(soundAllowedAtom, false);
    store.set(soundStateAtom, 'blocked');
    store.set(soundAtom, false);
    show();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});

describe("the badge of the installed app's icon", () => {
  it('counts what nobody has answered, and goes with it', async () => {
    const badges: number[] = [];
    const change = async (count = 0) => void badges.push(count);
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator), { setAppBadge: change, clearAppBadge: change }),
    );
    open = [anAttention(1), anAttention(2, { state: 'exhausted', rings: [] }), acknowledged3];
    show();
    await waitFor(() => expect(badges.at(-1)).toBe(2));
    await happens(acknowledgedBy(ann));
    await waitFor(() => expect(badges.at(-1)).toBe(1));
    cleanup();
    expect(badges.at(-1)).toBe(0);
  });
});
