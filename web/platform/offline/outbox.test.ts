// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isObjectOf, isText } from '../api/check.ts';
import { ownedKey } from '../session/owned.ts';
import { aUser } from '../testing/people.ts';

type Entry = { id: string; owner: string };
type Owner = 'Ann' | 'Bob';

const KEY = 'outbox-of-tests';
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
  isOnline = true;
  tabs: Tab[] = [];
  #count = 0;
  #current: Tab | undefined;
  #writes: { key: string; newValue: string; from: Tab | undefined }[] = [];
  #pending: { tab: Tab; settle: (fate: Fate) => void }[] = [];
  #late: (() => void)[] = [];
  #locks = new Map<string, Promise<void>>();
  /** Releases the lock that is being granted. */
  #granting: (() => void) | undefined;

  constructor() {
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
    const [{ createOutbox }, session, { ApiError }] = await Promise.all([
      import('./outbox.ts'),
      import('../session/session.ts'),
      import('../api/api-error.ts'),
    ]);
    const tab: Tab = { session, storageListeners: [], outbox: undefined as never };
    const fail = (status: number) => new ApiError('No.', { status, code: 'TEST' });
    tab.outbox = createOutbox<Entry>({
      key: KEY,
      isEntry: isObjectOf<Entry>({ id: isText, owner: isText }),
      idOf: ({ id }) => id,
      send: ({ id, owner }, { token }) => {
        if (this.#granting) tab.release = this.#granting;
        // Thrown here, a failure would be one more reason to retry.
        if (token !== tokenOf(owner as Owner)) this.violations.push(`${id} as ${token}`);
        const isAlone = this.#pending.every((each) => each.tab === tab);
        if (!isAlone) this.violations.push(`${id} from two tabs`);
        if (!this.isOnline) return Promise.reject(fail(0));
        return new Promise((resolve, reject) => {
          const settle = (fate: Fate) => {
            if (fate === 'unauthorized') return reject(fail(401));
            if (fate === 'late') this.#late.push(() => this.#apply(owner as Owner, id));
            if (fate === 'late' || fate === 'request lost') return reject(fail(0));
            this.#apply(owner as Owner, id);
            if (fate === 'answer lost') return reject(fail(503));
            if (isRefusal(id)) reject(fail(409));
            else resolve(undefined);
          };
          this.#pending.push({ tab, settle });
        });
      },
      onRefused: ({ id }) => {
        this.refused.add(id);
        return undefined;
      },
    });
    this.tabs.push(tab);
    this.in(tab, () => tab.outbox.watch(cache));
  }

  #apply(owner: Owner, id: string): void {
    if (!isRefusal(id) && !this.applied[owner].includes(id)) this.applied[owner].push(id);
  }

  /** Closes a tab as a crash does: its locks are free, and no answer reaches it. */
  kill(tab: Tab): void {
    this.tabs = this.tabs.filter((other) => other !== tab);
    this.#pending = this.#pending.filter((each) => each.tab !== tab);
    tab.outbox.stop();
    tab.release?.();
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
    tab.outbox.add(cache, { id, owner });
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
      const text = () => localStorage.getItem(ownedKey(owner, KEY)) ?? '[]';
      for (let rounds = 0; text() !== '[]' || this.#pending.length > 0; rounds++) {
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
  outbox: ReturnType<typeof import('./outbox.ts').createOutbox<Entry>>;
  storageListeners: EventListenerOrEventListenerObject[];
  release?: () => void;
};

let browser: Browser;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  close();
  vi.useRealTimers();
});
function start(): Browser {
  localStorage.clear();
  browser = new Browser();
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

it('sends everything once, in order and for its person alone, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      start();
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
        expect(browser.applied[owner]).toEqual(added.filter((id) => !isRefusal(id)));
        for (const id of added.filter(isRefusal)) expect(browser.refused).toContain(id);
      }
      close();
    }),
    { numRuns: 60 },
  );
});

it('sends nothing while the session is held, and goes on once its person has signed in again', async () => {
  start();
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
});
