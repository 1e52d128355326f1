// @vitest-environment happy-dom

import { randomUUID } from 'node:crypto';
import {
  type FetchQueryOptions,
  hashKey,
  InfiniteQueryObserver,
  partialMatchKey,
  type QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOGGED_EVENT_NAMES } from '#contract/app/registry';
import type { User } from '#contract/people/users/users';
import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { connectionAtom } from '../../platform/api/connection.ts';
import { keepReads } from '../../platform/offline/persister.ts';
import type { KeptGroup } from '../../platform/offline/records.ts';
import {
  createMemoryStore,
  type MemoryStore,
} from '../../platform/offline/testing/memory-store.ts';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { isOutdated } from '../../platform/realtime/in-flight.ts';
import { notifyCaughtUp, setPosition } from '../../platform/realtime/position.ts';
import { store as clientState, userAtom } from '../../platform/session/session.ts';
import { applyEvent } from '../live/reducers.ts';
import { answer } from '../testing/answer.ts';
import { cases } from '../testing/event-cases.ts';
import { at, consumer, id, quiet, type Shown, type World } from '../testing/world.ts';
import { signedInGroups } from './kept-reads-signed-in.ts';

const FORMAT = 'of this build';
const OWNER = 'the reader';
const TOKEN = 'aaa.bbb.ccc';
const EPOCH = 'first';

const groupOf = (queryKey: QueryKey): KeptGroup | undefined =>
  signedInGroups.find(
    ({ prefix, matches }) => partialMatchKey(queryKey, prefix) && (matches?.(queryKey) ?? true),
  );
const isKept = ({ queryKey }: Shown) => groupOf(queryKey) !== undefined;
/** The events that change something that is kept, with what of it they change. */
const changing = LOGGED_EVENT_NAMES.map((name) => ({
  name,
  kept: cases[name].shows.filter(isKept),
})).filter(({ kept }) => kept.length > 0);

let world: World;
let me: User;
let refusal: number | undefined;
let storage: MemoryStore;
const stops: (() => void)[] = [];

beforeEach(() => {
  world = quiet;
  me = consumer;
  refusal = undefined;
  storage = createMemoryStore();
  localStorage.setItem('token', TOKEN);
  const answerFetch = async (url: string) => {
    const body = refusal ? undefined : answer(world, me, new URL(url, 'http://market.test'));
    const text = JSON.stringify(body ?? { success: false, message: 'Gone', code: 'NOT_FOUND' });
    return new Response(text, { status: body === undefined ? (refusal ?? 404) : 200 });
  };
  vi.stubGlobal('fetch', vi.fn(answerFetch));
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  clientState.set(userAtom, null);
  clientState.set(connectionAtom, { state: 'connecting', since: 0 });
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A tab of the reader. Each has an id of its own, because positions are kept per user for as long as a page lives. */
function openTab({ format = FORMAT, owner = OWNER } = {}) {
  const userId = randomUUID();
  const cache = createQueryClient();
  const reader = { owner, userId, token: TOKEN };
  const stop = keepReads(cache, { store: storage, groups: signedInGroups, format, reader });
  stops.push(stop);
  return { cache, userId, stop };
}
type Tab = ReturnType<typeof openTab>;

function show(cache: QueryClient, shows: Shown[]): void {
  for (const options of shows as FetchQueryOptions[]) {
    const observer =
      'initialPageParam' in options
        ? new InfiniteQueryObserver(cache, options as never)
        : new QueryObserver(cache, options as never);
    stops.push(observer.subscribe(() => {}));
  }
}
const idle = (cache: QueryClient) => vi.waitFor(() => expect(cache.isFetching()).toBe(0));

/** The end of a catch-up at a place in the log. */
function catchUp({ userId }: Tab, seq: number, isReplayed: boolean, epoch = EPOCH): void {
  setPosition(userId, { seq, epoch });
  clientState.set(connectionAtom, { state: 'live', since: Date.now() });
  notifyCaughtUp({ userId, isReplayed });
}

/** Writes what the tabs have read, as they do when they are hidden, and waits for it. */
async function untilKept(shows: Shown[], seq: number): Promise<void> {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const hashes = shows.map(({ queryKey }) => hashKey(queryKey));
  await vi.waitFor(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    expect(storage.head?.position?.seq).toBe(seq);
    expect(Object.keys(storage.head?.notes ?? {})).toEqual(expect.arrayContaining(hashes));
  });
}

/** A visit that ends at a place in the log, with what it has read in the storage. */
async function visit(shows: Shown[], seq = 3): Promise<void> {
  const tab = openTab();
  show(tab.cache, shows);
  await idle(tab.cache);
  catchUp(tab, seq, false);
  await idle(tab.cache);
  await untilKept(shows, seq);
  tab.stop();
}

async function fresh(shows: Shown[]): Promise<unknown[]> {
  const cache = createQueryClient();
  show(cache, shows);
  await idle(cache);
  return shows.map(({ queryKey }) => cache.getQueryData(queryKey));
}

const isRestored = ({ cache }: Tab, shows: Shown[]) =>
  vi.waitFor(() =>
    expect(shows.map(({ queryKey }) => cache.getQueryData(queryKey) !== undefined)).toEqual(
      shows.map(() => true),
    ),
  );

/** What is in the cache is true, or known not to be; once it is shown it is true. */
async function expectTruth({ cache }: Tab, shows: Shown[]): Promise<void> {
  const truth = await fresh(shows);
  shows.forEach(({ queryKey }, index) => {
    const query = cache.getQueryCache().find({ queryKey });
    if (!query || isOutdated(cache, query)) return;
    expect(query.state.data, hashKey(queryKey)).toEqual(truth[index]);
  });
  show(cache, shows);
  await vi.waitFor(() => {
    expect(cache.isFetching()).toBe(0);
    expect(shows.map(({ queryKey }) => cache.getQueryData(queryKey))).toEqual(truth);
  });
}

function start(name: (typeof LOGGED_EVENT_NAMES)[number]) {
  const { me: reader, data, happens } = cases[name];
  me = reader;
  clientState.set(userAtom, reader);
  const event: Envelope = { seq: 4, id: id(99), at: at(59), name: name as EventName, data };
  return { event, happens: () => (world = happens(world)) };
}

describe.each(changing)('what is kept before $name', ({ name, kept }) => {
  it('is true after its replay at the next visit, also with an event twice', async () => {
    const { event, happens } = start(name);
    await visit(kept);
    happens();
    const tab = openTab();
    await isRestored(tab, kept);
    applyEvent(tab.cache, event);
    applyEvent(tab.cache, event);
    catchUp(tab, 4, true);
    await expectTruth(tab, kept);
  });

  it('is true when it was kept after it by another tab', async () => {
    const { event, happens } = start(name);
    const [one, other] = [openTab(), openTab()];
    show(one.cache, kept);
    show(other.cache, kept);
    await Promise.all([idle(one.cache), idle(other.cache)]);
    catchUp(one, 3, false);
    catchUp(other, 3, false);
    happens();
    applyEvent(one.cache, event);
    setPosition(one.userId, { seq: 4, epoch: EPOCH });
    await untilKept(kept, 4);
    one.stop();
    other.stop();
    const next = openTab();
    await isRestored(next, kept);
    catchUp(next, 4, true);
    await expectTruth(next, kept);
  });
});

it('has a case for all that is kept and that an event can change', () => {
  const changed = new Set(
    changing.flatMap(({ kept }) => kept.map(({ queryKey }) => groupOf(queryKey)?.name)),
  );
  const unchanged = signedInGroups.map(({ name }) => name).filter((name) => !changed.has(name));
  expect(unchanged).toEqual([]);
});

/** All that is kept and that a reader of the market's cases shows. */
const everything: Shown[] = changing
  .filter(({ name }) => cases[name].me === consumer)
  .flatMap(({ kept }) => kept)
  .filter(
    (options, index, all) =>
      all.findIndex((each) => hashKey(each.queryKey) === hashKey(options.queryKey)) === index,
  );

describe('all that is kept of a reader', () => {
  it.each([
    ['notes', () => Object.assign(storage.head ?? {}, { notes: null })],
    [
      'a note',
      () => {
        const notes = storage.head?.notes as Record<string, unknown>;
        notes[Object.keys(notes)[0] ?? ''] = null;
      },
    ],
    ['a head', () => Object.assign(storage, { head: 'broken' })],
  ])('is dropped and stored again where %s is broken', async (_, damage) => {
    await visit(everything);
    damage();
    const tab = openTab();
    show(tab.cache, everything);
    await idle(tab.cache);
    catchUp(tab, 9, false);
    await untilKept(everything, 9);
    tab.stop();
    const next = openTab();
    await isRestored(next, everything);
    catchUp(next, 9, true);
    await expectTruth(next, everything);
  });
});
