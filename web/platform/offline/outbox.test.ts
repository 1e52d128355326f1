// @vitest-environment happy-dom

import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { isObjectOf, isText } from '../api/check.ts';
import { ownedKey } from '../session/owned.ts';
import { aUser } from '../testing/network.ts';

type Entry = { id: string; owner: string };
type Owner = 'Ann' | 'Bob';

/** What an outbox of a tab does, whatever is in it. */
type Outbox = { add: (id: string, owner: string) => void; watch: () => void; stop: () => void };
/** Sends what has an id; rejects as a call does. */
type Send = (id: string, token: string) => Promise<void>;
type Kind = {
  key: string;
  /** Whether everything is sent in its order; otherwise each thing by itself. */
  isOrdered: boolean;
  open: (send: Send) => Promise<Outbox>;
  /** Returns whether an entry, as it is stored, still waits. */
  isWaiting: (entry: { status?: string }) => boolean;
};

const plain: Kind = {
  key: 'outbox-of-tests',
  isOrdered: true,
  open: async (send) => {
    const { createOutbox } = await import('./outbox.ts');
    const outbox = createOutbox<Entry>({
      key: plain.key,
      isEntry: isObjectOf<Entry>({ id: isText, owner: isText }),
      idOf: ({ id }) => id,
      send: async ({ id }, { token }) => {
        await send(id, token);
        return undefined;
      },
      onRefused: () => undefined,
    });
    return {
      add: (id, owner) => outbox.add(cache, { id, owner }),
      watch: () => outbox.watch(cache),
      stop: outbox.stop,
    };
  },
  isWaiting: () => true,
};

const stock: Kind = {
  key: 'stock-edits',
  isOrdered: false,
  open: async (send) => {
    const { createStockSaver } = await import('../../catalogue/products/stock/stock-saver.ts');
    const productOf = (_id: string) => ({ _id, unit: 'lb', quantityAvailable: 12 }) as Product;
    const saver = createStockSaver(
      async ([change], { token } = {}) => {
        const _id = change?.product ?? '';
        await send(_id, token ?? '');
        return [{ _id, product: productOf(_id) }];
      },
      () => undefined,
    );
    return {
      add: (id) => saver.typeQuantity(productOf(id), '5', 12),
      watch: () => saver.watch(cache),
      stop: saver.stop,
    };
  },
  // What was refused stays until somebody has seen it.
  isWaiting: ({ status }) => status !== 'refused',
};
const OWNERS = ['Ann', 'Bob'] as const;
const users = {
  Ann: { ...aUser('consumer'), _id: 'Ann' },
  Bob: { ...aUser('consumer'), _id: 'Bob' },
};
const isRefusal = (id: string) => id.endsWith('refused');
const tokenOf = (owner: Owner) => `${owner}.b.c`;
const MINUTE_MS = 60_000;
const cache = new QueryClient();
const listen = window.addEventListener;
const { setItem } = Storage.prototype;

/** What becomes of a request: its answer comes, or it or its answer is lost, or it arrives after the client gave up. */
const FATES = ['answered', 'request lost', 'answer lost', 'late', 'unauthorized'] as const;
type Fate = (typeof FATES)[number];

/** A browser with a server behind it: tabs share its storage and its locks, and each has a state of its own. */
class Browser {
  readonly added: Record<Owner, string[]> = { Ann: [], Bob: [] };
  readonly applied: Record<Owner, string[]> = { Ann: [], Bob: [] };
  readonly refused = new Set<string>();
  readonly violations: string[] = [];
  readonly kind: Kind;
  isOnline = true;
  tabs: Tab[] = [];
  #count = 0;
  #current: Tab | undefined;
  #writes: { key: string; newValue: string; from: Tab | undefined }[] = [];
  #pending: { id: string; tab: Tab; settle: (fate: Fate) => void }[] = [];
  #late: (() => void)[] = [];
  #locks = new Map<string, Promise<void>>();
  /** Releases the lock that is being granted. */
  #granting: (() => void) | undefined;

  constructor(kind: Kind) {
    this.kind = kind;
    const browser = this;
    vi.stubGlobal('navigator', {
      get onLine() {
        return browser.isOnline;
      },
      locks: { request: (name: string, run: () => Promise<void>) => browser.#lock(name, run) },
    });
    const follow = (name: string, listener: EventListenerOrEventListenerObject) => {
      if (name === 'storage' && this.#current) this.#current.storageListeners.push(listener);
      else listen.call(window, name, listener);
    };
    vi.spyOn(window, 'addEventListener').mockImplementation(follow);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key: string, newValue: string) => {
      setItem.call(localStorage, key, newValue);
      this.#writes.push({ key, newValue, from: this.#current });
    });
  }

  async #lock(name: string, run: () => Promise<void>): Promise<void> {
    const before = this.#locks.get(name);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#locks.set(name, released);
    await before;
    this.#granting = release;
    const running = run();
    this.#granting = undefined;
    await Promise.race([running, released]);
    release();
  }

  in<Result>(tab: Tab, run: () => Result): Result {
    this.#current = tab;
    try {
      return run();
    } finally {
      this.#current = undefined;
    }
  }

  async open(): Promise<void> {
    vi.resetModules();
    const [session, { ApiError }] = await Promise.all([
      import('../session/session.ts'),
      import('../api/api-error.ts'),
    ]);
    const fail = (status: number) => new ApiError('No.', { status, code: 'TEST' });
    const send: Send = (id, token) => {
      if (this.#granting) tab.releases.push(this.#granting);
      const owner = OWNERS.find((each) => this.added[each].includes(id)) as Owner;
      // Thrown here, a failure would be one more reason to retry.
      if (token !== tokenOf(owner)) this.violations.push(`${id} as ${token}`);
      const others = this.#pending.filter((each) => kind.isOrdered || each.id === id);
      if (others.some((each) => each.tab !== tab)) this.violations.push(`${id} from two tabs`);
      if (!this.isOnline) return Promise.reject(fail(0));
      return new Promise((resolve, reject) => {
        const settle = (fate: Fate) => {
          if (fate === 'unauthorized') return reject(fail(401));
          if (fate === 'late') this.#late.push(() => this.#apply(owner, id));
          if (fate === 'late' || fate === 'request lost') return reject(fail(0));
          this.#apply(owner, id);
          if (fate === 'answer lost') return reject(fail(503));
          if (!isRefusal(id)) return resolve();
          this.refused.add(id);
          reject(fail(409));
        };
        this.#pending.push({ id, tab, settle });
      });
    };
    const { kind } = this;
    const tab: Tab = { session, storageListeners: [], releases: [], outbox: await kind.open(send) };
    this.tabs.push(tab);
    this.in(tab, () => tab.outbox.watch());
  }

  #apply(owner: Owner, id: string): void {
    if (!isRefusal(id) && !this.applied[owner].includes(id)) this.applied[owner].push(id);
  }

  /** Closes a tab as a crash does: its locks are free, and no answer reaches it. */
  kill(tab: Tab): void {
    this.tabs = this.tabs.filter((other) => other !== tab);
    this.#pending = this.#pending.filter((each) => each.tab !== tab);
    tab.outbox.stop();
    for (const release of tab.releases) release();
    tab.storageListeners = [];
  }

  signIn(tab: Tab, owner: Owner | undefined): void {
    this.in(tab, () => tab.session.closeSession(true));
    if (owner) this.in(tab, () => tab.session.openSession(tokenOf(owner), users[owner]));
    // Other tabs notice at once, so that all are one person's.
    this.deliver();
  }

  add(tab: Tab, isRefused: boolean): void {
    const owner = tab.session.readToken()?.split('.')[0] as Owner | undefined;
    if (!owner) return;
    const id = `${++this.#count}${isRefused ? ' refused' : ''}`;
    this.added[owner].push(id);
    tab.outbox.add(id, owner);
  }

  /** Notifies tabs of what others stored. */
  deliver(): void {
    for (const { key, newValue, from } of this.#writes.splice(0)) {
      const event = new StorageEvent('storage', { key, newValue, storageArea: localStorage });
      for (const tab of this.tabs) {
        if (tab === from) continue;
        this.in(tab, () => {
          for (const listener of [...tab.storageListeners]) {
            if (typeof listener === 'function') listener(event);
          }
        });
      }
    }
  }

  async settle(fate: Fate): Promise<void> {
    for (const apply of this.#late.splice(0)) apply();
    for (const { settle } of this.#pending.splice(0)) settle(fate);
    await vi.advanceTimersByTimeAsync(0);
  }

  async finish(): Promise<void> {
    this.isOnline = true;
    if (this.tabs.length === 0) await this.open();
    for (const owner of OWNERS) {
      const [tab] = this.tabs;
      if (tab) this.signIn(tab, owner);
      window.dispatchEvent(new Event('online'));
      const text = () => localStorage.getItem(ownedKey(owner, this.kind.key)) ?? '[]';
      const isDone = () => !JSON.parse(text()).some(this.kind.isWaiting);
      for (let rounds = 0; !isDone() || this.#pending.length > 0; rounds++) {
        if (rounds > 200) throw new Error(`${owner} still waits: ${text()}`);
        this.deliver();
        await vi.advanceTimersByTimeAsync(MINUTE_MS);
        await this.settle('answered');
      }
    }
  }
}

type Tab = {
  session: typeof import('../session/session.ts');
  outbox: Outbox;
  storageListeners: EventListenerOrEventListenerObject[];
  /** Release the locks that it holds, or held. */
  releases: (() => void)[];
};

let browser: Browser;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  close();
  vi.useRealTimers();
});
function start(kind: Kind): Browser {
  localStorage.clear();
  browser = new Browser(kind);
  return browser;
}
function close(): void {
  for (const tab of browser.tabs) browser.kill(tab);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
}

const step = fc.record({
  what: fc.constantFrom(
    ...(['add', 'add', 'add', 'settle', 'settle', 'wait', 'deliver'] as const),
    ...(['reload', 'open', 'kill', 'sign in', 'sign out', 'offline', 'online'] as const),
  ),
  tab: fc.nat({ max: 2 }),
  owner: fc.constantFrom(...OWNERS),
  fate: fc.constantFrom(...FATES),
  isRefused: fc.boolean(),
  waitMs: fc.constantFrom(0, 700, 40_000),
});

it.each([
  ['everything once, in order', plain],
  ['each stock', stock],
])('sends %s, for its person alone, whatever happens', async (_, kind) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      start(kind);
      await browser.open();
      await browser.open();
      for (const { what, tab: index, owner, fate, isRefused, waitMs } of steps) {
        const tab = browser.tabs[index % Math.max(1, browser.tabs.length)];
        if (what === 'settle') await browser.settle(fate);
        else if (what === 'wait') await vi.advanceTimersByTimeAsync(waitMs);
        else if (what === 'deliver') browser.deliver();
        else if (what === 'offline' || what === 'online') {
          browser.isOnline = what === 'online';
          window.dispatchEvent(new Event(what));
        } else if (what === 'open' && browser.tabs.length < 3) await browser.open();
        else if (!tab) await browser.open();
        else if (what === 'add') browser.add(tab, isRefused && waitMs === 0);
        else if (what === 'sign in') browser.signIn(tab, owner);
        else if (what === 'sign out') browser.signIn(tab, undefined);
        else if (what === 'kill' || what === 'reload') {
          browser.kill(tab);
          if (what === 'reload') await browser.open();
        }
      }
      await browser.finish();
      expect(browser.violations).toEqual([]);
      for (const owner of OWNERS) {
        const added = browser.added[owner];
        const applied = browser.applied[owner];
        const wanted = added.filter((id) => !isRefusal(id));
        if (kind.isOrdered) expect(applied).toEqual(wanted);
        else expect(new Set(applied)).toEqual(new Set(wanted));
        for (const id of added.filter(isRefusal)) expect(browser.refused).toContain(id);
      }
      close();
    }),
    { numRuns: kind.isOrdered ? 60 : 30 },
  );
});

it.each([
  ['nothing', plain],
  ['no stock', stock],
])(
  'sends %s while the session is held, and goes on once its person has signed in again',
  async (_, kind) => {
    start(kind);
    await browser.open();
    const [tab] = browser.tabs;
    if (!tab) throw new Error('No tab');
    browser.signIn(tab, 'Ann');
    tab.session.noteOpened(tokenOf('Ann'));
    tab.session.notifySessionEnded(tokenOf('Ann'));
    browser.add(tab, false);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await browser.settle('answered');
    expect(browser.applied.Ann).toEqual([]);
    browser.in(tab, () => tab.session.openSession(tokenOf('Ann'), users.Ann));
    await vi.advanceTimersByTimeAsync(0);
    await browser.settle('answered');
    expect(browser.applied.Ann).toEqual(browser.added.Ann);
  },
);
