import { beforeEach, expect, it, vi } from 'vitest';
import type { Envelope } from '#contract/platform/events/socket';
import { EventReader, type EventSchemas, type LoadEventSchemas } from './event-reader.ts';

const loadEventSchemas = vi.fn<LoadEventSchemas>();

const ID = '8f14e45f-ceea-4d7e-a3c1-1a2b3c4d5e6f';
const AT = '2026-11-01T08:30:00.000Z';
const farmer = (seq: number, more = {}) => ({
  seq,
  id: ID,
  at: AT,
  name: 'farmer.updated',
  data: { _id: ID, ...more },
});
const position = (name: string, seq: unknown = 7) => ({ id: ID, at: AT, name, data: { seq } });

let load: { resolve: (schemas: EventSchemas) => void; reject: (error: Error) => void };
let results: (string | number | undefined)[];
let reader: EventReader;
const anyResult = () => vi.waitFor(() => expect(results).not.toEqual([]));
const resolveSchemas = async () => load.resolve(await import('#contract/app/registry'));

beforeEach(() => {
  loadEventSchemas.mockReset();
  loadEventSchemas.mockImplementation(
    () =>
      new Promise((resolve, reject) => {
        load = { resolve, reject };
      }),
  );
  results = [];
  reader = new EventReader(
    {
      onEvent: (event: Envelope) => results.push(event.seq ?? event.name),
      onUnreadable: (name) => results.push(`unreadable ${name}`),
    },
    loadEventSchemas,
  );
});

it('reads synced and resync without loading the schemas', () => {
  reader.read('synced', position('synced'));
  reader.read('resync', position('resync', 0));
  expect(results).toEqual(['synced', 'resync']);
  expect(loadEventSchemas).not.toHaveBeenCalled();
});

it('loads the schemas with the first event and keeps the order of events meanwhile', async () => {
  reader.read('farmer.updated', farmer(3));
  reader.read('synced', position('synced'));
  reader.read('farmer.updated', farmer(4));
  expect(results).toEqual([]);
  await resolveSchemas();
  await anyResult();
  reader.read('farmer.updated', farmer(5));
  expect(results).toEqual([3, 'synced', 4, 5]);
  expect(loadEventSchemas).toHaveBeenCalledTimes(1);
});

it('drops waiting events on reset', async () => {
  reader.read('farmer.updated', farmer(3));
  reader.read('synced', position('synced', 3));
  reader.reset();
  reader.read('farmer.updated', farmer(4));
  await resolveSchemas();
  await anyResult();
  expect(results).toEqual([4]);
});

it('reports events as unreadable when the schemas fail to load, and retries with the next', async () => {
  reader.read('farmer.updated', farmer(3));
  reader.read('synced', position('synced'));
  load.reject(new TypeError('Failed to fetch dynamically imported module'));
  await anyResult();
  expect(results).toEqual(['unreadable farmer.updated', 'synced']);
  reader.read('farmer.updated', farmer(4));
  await resolveSchemas();
  await vi.waitFor(() => expect(results.at(-1)).toBe(4));
});

it('accepts unknown fields and ignores unknown events', async () => {
  reader.preload();
  await resolveSchemas();
  reader.read('farmer.updated', farmer(3, { further: true }));
  reader.read('an.event.of.tomorrow', position('an.event.of.tomorrow'));
  reader.read('toString', position('toString'));
  await anyResult();
  expect(results).toEqual([3]);
});

it('loads the schemas before the first event on preload', async () => {
  reader.preload();
  await resolveSchemas();
  await Promise.resolve();
  reader.read('farmer.updated', farmer(3));
  expect(results).toEqual([3]);
});

it.each([
  ['nothing', undefined],
  ['a text', 'synced'],
  ['no head', { data: { seq: 1 } }],
  ['no data', { id: ID, at: AT }],
  ['a number that is text', position('synced', '7')],
  ['no number', position('synced', Number.NaN)],
])('rejects an envelope that is or has %s', async (_, input) => {
  reader.read('synced', input);
  await resolveSchemas();
  await anyResult();
  expect(results).toEqual(['unreadable synced']);
});
