// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userAtom } from '../auth/atoms.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { type Call, type Reply, stubNetwork } from '../lib/testing/network.ts';
import { aToken, aUser } from '../lib/testing/people.ts';
import { keptWorkAtom } from './kept-work.ts';
import { doWork, stopWatchingWork } from './send-work.ts';

const farmer = aUser('farmer', 'Finn Grower');
const productId = '00000000-0000-4000-8000-000000000001';

const confirm = ({ body }: Call): Reply => {
  const { expectedVersion, ...tick } = body as { expectedVersion: number };
  const by = { _id: farmer._id, name: farmer.name };
  const data = { ...tick, version: expectedVersion + 1, by, at: '2026-11-27T10:00:00.000Z' };
  return { status: 200, body: { success: true, data } };
};

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  stopWatchingWork();
  store.set(keptWorkAtom, []);
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

it('builds on what was just confirmed, even for a page that does not show it yet', async () => {
  const calls = stubNetwork({ 'PUT /farm/picklist/ticks': confirm });
  const cache = createQueryClient();
  const tick = async (quantity: number, expectedVersion: number) => {
    doWork(cache, {
      kind: 'tick',
      date: '2026-11-28',
      place: null,
      productId,
      name: 'Carrots',
      unit: 'lb',
      quantity,
      expectedVersion,
      label: 'Carrots',
    });
    await vi.waitFor(() => expect(store.get(keptWorkAtom)).toEqual([]), { timeout: 30_000 });
  };
  await tick(1, 0);
  // A press before the page was drawn anew: it names the version from before the first.
  await tick(2, 0);
  // What somebody else made of it meanwhile stands as it is.
  await tick(3, 7);
  const versions = calls.map(({ body }) => (body as { expectedVersion: number }).expectedVersion);
  expect(versions).toEqual([0, 1, 7]);
});
