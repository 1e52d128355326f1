import { expect, it } from 'vitest';
import { planRestore, planWrite, type Snapshot } from './plan.ts';
import type { KeptGroup, KeptHead } from './records.ts';

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
const groups: KeptGroup[] = [
  { name: 'orders', prefix: ['orders'], max: 3, isCovered: true },
  { name: 'products', prefix: ['products'], max: 2, isCovered: false },
];

const entry = (stamp: string, change: Partial<ReturnType<typeof note>> = {}) => ({
  key: ['orders', stamp],
  data: { stamp },
  ...note(stamp, change),
});
const note = (
  stamp: string,
  change: { group?: string; updatedAt?: number; isCovered?: boolean },
) => ({
  group: 'orders',
  updatedAt: NOW,
  isCovered: true,
  stamp,
  ...change,
});

const snapshot = (change: Partial<Snapshot> = {}): Snapshot => ({
  format: 'one',
  owner: 'ana',
  position: { seq: 10, epoch: 'first' },
  isLive: true,
  at: NOW,
  entries: new Map([['a', entry('a1')]]),
  gone: new Set(),
  ...change,
});

const headOf = (change: Partial<Snapshot> = {}, before?: KeptHead): KeptHead => {
  const plan = planWrite(before, snapshot(change), groups);
  if (!plan) throw new Error('Nothing is written.');
  return plan.head;
};
const restore = (head: KeptHead, change: { owner?: string; format?: string; now?: number } = {}) =>
  planRestore(
    {
      head,
      entries: new Map(Object.keys(head.notes).map((hash) => [hash, { key: [hash], data: 1 }])),
    },
    { owner: 'ana', format: 'one', now: NOW, ...change },
  );

it('brings back what was kept, covered as of when it was last true', () => {
  const head = headOf({ entries: new Map([['a', entry('a1', { updatedAt: NOW - 5000 })]]) });
  expect(restore(head, { now: NOW + 1000 })).toEqual([
    {
      hash: 'a',
      key: ['a'],
      data: 1,
      stamp: 'a1',
      updatedAt: NOW - 5000,
      isCovered: true,
      asOf: NOW,
    },
  ]);
});

it.each([
  ['another user', { owner: 'ben' }],
  ['another format', { format: 'two' }],
])('brings nothing back for %s', (_, change) => {
  expect(restore(headOf(), change)).toBeNull();
});

it('replaces all when the reader, the format or the history of events is another one', () => {
  const before = headOf();
  for (const change of [
    { owner: 'ben' },
    { format: 'two' },
    { position: { seq: 12, epoch: 'second' } },
  ]) {
    const plan = planWrite(before, snapshot({ ...change, entries: new Map() }), groups);
    expect(plan).toMatchObject({ isReplacement: true, head: { notes: {} } });
  }
});

it('writes an entry once, and again when another tab has written another version', () => {
  const before = headOf();
  expect(planWrite(before, snapshot(), groups)?.put.size).toBe(0);
  const other = headOf({ entries: new Map([['a', entry('a2')]]) }, before);
  expect([...(planWrite(other, snapshot(), groups)?.put.keys() ?? [])]).toEqual(['a']);
});

it('covers only what the writing tab knows at the new position', () => {
  const before = headOf({ entries: new Map([['other tab', entry('b1')]]) });
  const same = headOf({}, before);
  expect(same.notes).toMatchObject({ 'other tab': { isCovered: true }, a: { isCovered: true } });
  const later = headOf({ position: { seq: 11, epoch: 'first' } }, before);
  expect(later.notes).toMatchObject({ 'other tab': { isCovered: false }, a: { isCovered: true } });
});

it('writes nothing from a tab that is behind in the log', () => {
  const before = headOf();
  expect(planWrite(before, snapshot({ position: { seq: 9, epoch: 'first' } }), groups)).toBeNull();
});

it('keeps position and truth of another tab when this one was never connected', () => {
  const before = headOf({ at: NOW - DAY_MS });
  const offline = { position: undefined, isLive: false };
  const uncertain = new Map([
    ['a', entry('a2')],
    ['b', entry('b1')],
  ]);
  const head = headOf({ ...offline, entries: uncertain }, before);
  expect(head).toMatchObject({
    position: { seq: 10, epoch: 'first' },
    trueAt: NOW - DAY_MS,
    notes: { a: { stamp: 'a1', isCovered: true }, b: { isCovered: false } },
  });
});

it('keeps the latest of each group, and nothing of a month ago or of no group', () => {
  const many = Array.from({ length: 1000 }, (_, index): [string, ReturnType<typeof entry>] => [
    `order ${index}`,
    entry(`o${index}`, { updatedAt: NOW - index }),
  ]);
  const entries = new Map([
    ...many,
    ['pear', entry('p1', { group: 'products' })] as const,
    ['old', entry('p2', { group: 'products', updatedAt: NOW - 31 * DAY_MS })] as const,
    ['unknown', entry('x', { group: 'of an older build' })] as const,
  ]);
  const plan = planWrite(undefined, snapshot({ entries }), groups);
  const kept = ['order 0', 'order 1', 'order 2', 'pear'];
  expect(Object.keys(plan?.head.notes ?? {}).sort()).toEqual(kept);
  expect([...(plan?.put.keys() ?? [])].sort()).toEqual(kept);
});

it('removes what the server refuses', () => {
  const plan = planWrite(headOf(), snapshot({ entries: new Map(), gone: new Set(['a']) }), groups);
  expect(plan).toMatchObject({ remove: ['a'], head: { notes: {} } });
});

it('takes no time of the future for true when the clock was set back', () => {
  const [back] = restore(headOf(), { now: NOW - DAY_MS }) ?? [];
  expect(back).toMatchObject({ updatedAt: NOW - DAY_MS, asOf: NOW - DAY_MS });
});
