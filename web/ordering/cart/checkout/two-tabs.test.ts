// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Cart } from '../rules.ts';

// One cart in several tabs: whatever is pressed where, it becomes one order.

const FARM = '00000000-0000-4000-8000-000000000900';
const PLUMS = '00000000-0000-4000-8000-000000000001';
const PEARS = '00000000-0000-4000-8000-000000000002';
const line = (productId: string, quantity: number) => ({
  ...{ productId, quantity, name: 'Goods', image: null, price: 2.5 },
});
const cart: Cart = { farmerId: FARM, farmerName: 'Green Valley', lines: [line(PLUMS, 2)] };
const order = (notes: string, lines = cart.lines) => ({
  farmer: FARM,
  items: lines.map(({ productId: product, quantity }) => ({ product, quantity, price: 2.5 })),
  notes,
  paymentMethod: 'cash' as const,
});

/** A market as the server keeps it: one order for each person and key. */
const market = {
  placed: new Map<string, { body: string; _id: string }>(),
  requests: [] as { key: string; token: string; body: string }[],
  /** What to answer instead, and whether the order takes effect nevertheless. */
  fault: undefined as { takesEffect: boolean; status?: number; code?: string } | undefined,
  hold: undefined as Promise<void> | undefined,
  /** Called when a request is there. */
  onRequest: () => {},
};

function answer(status: number, body: object) {
  return new Response(JSON.stringify(body), { status });
}

async function place(url: string, init: RequestInit): Promise<Response> {
  if (!url.endsWith('/orders')) return answer(404, { message: 'Nothing here.' });
  const headers = new Headers(init.headers);
  const [key, token] = [headers.get('Idempotency-Key') ?? '', headers.get('Authorization') ?? ''];
  const body = String(init.body);
  market.requests.push({ key, token, body });
  market.onRequest();
  await market.hold;
  const { fault } = market;
  if (!fault || fault.takesEffect) {
    const known = market.placed.get(`${token} ${key}`);
    const _id = known?._id ?? `order ${market.placed.size + 1}`;
    if (known && known.body !== body) {
      return answer(409, { code: 'IDEMPOTENCY_KEY_REUSED', message: 'Used.' });
    }
    market.placed.set(`${token} ${key}`, { body, _id });
    if (!fault) return answer(201, { success: true, data: { _id, ...JSON.parse(body) } });
  }
  if (fault.status) return answer(fault.status, { code: fault.code, message: 'Refused.' });
  throw new TypeError('Failed to fetch');
}

/** The locks of one browser. */
function createLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, ...rest: unknown[]) => {
      const run = rest.at(-1) as () => Promise<unknown>;
      const result = (last.get(name) ?? Promise.resolve()).then(run);
      last.set(
        name,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}

/** Opens a tab of this browser, in which somebody is signed in. */
async function openTab(person = 'ada') {
  vi.resetModules();
  const [
    { placeOnceInOneTab },
    { attemptOf, isAttemptedBy },
    { cartAtom },
    session,
    { store },
    people,
  ] = await Promise.all([
    import('./place-order.ts'),
    import('./attempt.ts'),
    import('../rules.ts'),
    import('../../../platform/session/session.ts'),
    import('../../../platform/session/session.ts'),
    import('../../../platform/testing/network.ts'),
  ]);
  const signIn = (who: string) => {
    store.set(session.userAtom, { ...people.aUser('consumer'), _id: who });
    store.set(session.tokenAtom, `${who}.bbb.ccc`);
  };
  signIn(person);
  attemptOf(person, FARM);
  return {
    signIn,
    isAttemptedBy,
    fill: (next: Cart) => store.set(cartAtom, next),
    cart: () => cartAtom.readStored(),
    press: (notes: string, lines = cart.lines, owner = person) =>
      placeOnceInOneTab({ owner, said: [lines, notes], order: order(notes, lines) }),
  };
}

const notesPlaced = () => [...market.placed.values()].map(({ body }) => JSON.parse(body).notes);

beforeEach(() => {
  localStorage.clear();
  Object.assign(market, { placed: new Map(), requests: [], fault: undefined, hold: undefined });
  market.onRequest = () => {};
  vi.stubGlobal('fetch', place);
  vi.stubGlobal('navigator', { onLine: true, locks: createLocks() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['the same words', 'Ring twice.'],
  ['other words', 'Leave it at the door.'],
])('waits in a second tab for the first press and shows its order, with %s', async (_, second) => {
  const [one, two] = [await openTab(), await openTab()];
  one.fill(cart);
  let release = () => {};
  market.hold = new Promise((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (market.onRequest = resolve));
  const first = one.press('Ring twice.');
  await arrived;
  const other = two.press(second);
  release();
  expect((await other).orderId).toBe((await first).orderId);
  expect(notesPlaced()).toEqual(['Ring twice.']);
  expect(market.requests).toHaveLength(1);
  expect(one.cart().lines).toEqual([]);
});

it('is one order without locks too, and shows the one that was placed', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: undefined });
  const [one, two] = [await openTab(), await openTab()];
  const [first, second] = await Promise.all([one.press('Ring twice.'), two.press('Knock.')]);
  expect(second.orderId).toBe(first.orderId);
  expect(notesPlaced()).toEqual(['Ring twice.']);
  expect([first.isAsSaid, second.isAsSaid]).toEqual([true, false]);
});

it('does not wait for a tab that was closed or frozen while it sent', async () => {
  vi.useFakeTimers();
  const frozen = {
    request: (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const one = await openTab();
  market.fault = { takesEffect: true };
  await expect(one.press('Ring twice.')).rejects.toThrow();
  market.fault = undefined;
  const two = await openTab();
  vi.stubGlobal('navigator', { onLine: true, locks: frozen });
  const pressed = two.press('Knock.');
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await pressed).orderId).toBe('order 1');
  expect(notesPlaced()).toEqual(['Ring twice.']);
});

it.each([
  ['the same words', 'Ring twice.', true],
  ['other words', 'Knock.', false],
])(
  'shows the order whose answer was lost before a reload, with %s',
  async (_, second, isAsSaid) => {
    const one = await openTab();
    one.fill(cart);
    market.fault = { takesEffect: true };
    await expect(one.press('Ring twice.')).rejects.toThrow();
    market.fault = undefined;
    const two = await openTab();
    expect(await two.press(second)).toMatchObject({ orderId: 'order 1', isAsSaid });
    expect(notesPlaced()).toEqual(['Ring twice.']);
    expect(two.cart().lines).toEqual([]);
  },
);

it('places what was said last where nothing of it had reached the market', async () => {
  const tab = await openTab();
  market.fault = { takesEffect: false };
  await expect(tab.press('Ring twice.')).rejects.toThrow();
  await expect(tab.press('Knock.')).rejects.toThrow();
  market.fault = undefined;
  expect(await tab.press('Leave it at the door.')).toMatchObject({ isAsSaid: true });
  expect(notesPlaced()).toEqual(['Leave it at the door.']);
});

it('makes another order of the next cart, also with the same words', async () => {
  const tab = await openTab();
  tab.fill(cart);
  const first = await tab.press('Ring twice.');
  tab.fill(cart);
  const second = await tab.press('Ring twice.');
  expect(second.orderId).not.toBe(first.orderId);
});

it('frees the cart with a refusal, and keeps it to its key where nobody has looked at that', async () => {
  const tab = await openTab();
  const key = () => market.requests.at(-1)?.key ?? '';
  market.fault = { takesEffect: true };
  await expect(tab.press('Ring twice.')).rejects.toThrow();
  market.fault = { takesEffect: false, status: 401, code: 'UNAUTHORIZED' };
  await expect(tab.press('Knock.')).rejects.toThrow();
  expect(tab.isAttemptedBy(key())).toBe(true);
  market.fault = { takesEffect: false, status: 409, code: 'OUT_OF_STOCK' };
  await expect(tab.press('Knock.')).rejects.toThrow();
  expect(tab.isAttemptedBy(key())).toBe(false);
});

it('leaves in the cart what was put into it while the order was on its way', async () => {
  const tab = await openTab();
  tab.fill(cart);
  let release = () => {};
  market.hold = new Promise((resolve) => (release = resolve));
  const pressed = tab.press('Ring twice.');
  tab.fill({ ...cart, lines: [...cart.lines, line(PEARS, 1)] });
  release();
  await pressed;
  expect(tab.cart().lines.map(({ productId }) => productId)).toEqual([PEARS]);
});

it('keeps the orders of two persons apart who use one browser', async () => {
  const tab = await openTab('ada');
  tab.fill(cart);
  market.fault = { takesEffect: true };
  await expect(tab.press('Ring twice.')).rejects.toThrow();
  market.fault = undefined;
  const ofBo = await openTab('bo');
  expect(ofBo.cart().lines).toEqual([]);
  await ofBo.press('Knock.');
  expect(notesPlaced()).toEqual(['Ring twice.', 'Knock.']);
  // What is repeated after somebody else has signed in goes out for nobody.
  ofBo.signIn('ada');
  await expect(ofBo.press('Knock.', cart.lines, 'bo')).rejects.toMatchObject({
    code: 'SESSION_ENDED',
  });
  expect((await (await openTab('ada')).press('Ring twice.')).orderId).toBe('order 1');
});
