import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Attention } from '#contract/ordering/attention/attention';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import { type Answer, order, callApi as requestApi, whenServed } from '../faults/helpers.ts';
import {
  ACCOUNTS,
  type Account,
  launchBrowser,
  openPerson,
  type Person,
  type Session,
  sharedBrowser,
  signIn,
} from '../people.ts';
import { printOutput, type Stack, startStack } from '../stack.ts';

type StackOptions = NonNullable<Parameters<typeof startStack>[0]>;

/** A person at a browser, with their API session. */
export type Actor = Person & { session: Session };

type VisitOptions = Pick<
  NonNullable<Parameters<typeof openPerson>[2]>,
  'width' | 'height' | 'dark' | 'hasWorker'
> & {
  /** Prepares the browser before it loads anything. */
  prepare?: (context: BrowserContext) => Promise<unknown>;
};

/**
 * Starts a market for the tests of one file. With `isWhole` its browser is a full one, and its own.
 */
export function openMarket({
  isWhole = false,
  ...options
}: StackOptions & { isWhole?: boolean } = {}) {
  let stack: Stack | undefined;
  let browser: Browser | undefined;
  const people: Person[] = [];
  const sessions = new Map<Account, Promise<Session>>();

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startStack(options),
      isWhole ? launchBrowser({ isWhole }) : sharedBrowser(),
    ]);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveFailureEvidence(task.id);
    await Promise.all(people.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    if (isWhole) await browser?.close();
    await stack?.close();
  });

  const running = (): Stack => {
    if (!stack) throw new Error('The market is not open yet.');
    return stack;
  };

  /** Saves screenshots of all pages when a test failed, and prints their paths and the programs' output. */
  async function saveFailureEvidence(name: string): Promise<void> {
    const pages = people.flatMap(({ context }) => context.pages());
    for (const [index, page] of pages.entries()) {
      const file = path.join(tmpdir(), `farmgate-failed-${name}-${index}.png`);
      await page.screenshot({ path: file }).catch(() => undefined);
      console.log(`${page.url()}: ${file}`);
    }
    printOutput(running());
  }

  /** Returns the session of a demo account. */
  function session(account: Account): Promise<Session> {
    const known = sessions.get(account) ?? signIn(running().url, ACCOUNTS[account]);
    sessions.set(account, known);
    return known;
  }

  /** Opens a page in a new browser context. */
  async function visit(
    address: string,
    as?: Session,
    { prepare, ...options }: VisitOptions = {},
  ): Promise<Person> {
    if (!browser) throw new Error('The market is not open yet.');
    const person = await openPerson(browser, running().url, {
      // Push messages need the worker.
      hasWorker: isWhole,
      ...options,
      ...(as ? { as } : {}),
    });
    people.push(person);
    await prepare?.(person.context);
    await person.page.goto(address);
    return person;
  }

  /** Opens a page for an account and waits until it is live. */
  async function open(account: Account, address: string, options?: VisitOptions): Promise<Actor> {
    const own = await session(account);
    const person = await visit(address, own, options);
    await badge(person, 'Live').waitFor();
    return { ...person, session: own };
  }

  /** Calls the API as an account. @throws when the API refuses */
  async function callApi<Data>(
    account: Account,
    method: string,
    pathname: string,
    body?: unknown,
  ): Promise<Data> {
    const { token } = await session(account);
    const key = randomUUID();
    return dataOf<Data>(
      await whenServed(() => requestApi(running().url, method, pathname, { token, body, key })),
    );
  }

  /** Creates a product as a farmer. */
  async function createProduct(
    product: Partial<{ name: string; price: number; quantityAvailable: number; category: string }>,
    farmer: 'farmer' | 'farmer2' = 'farmer',
  ): Promise<Product> {
    const [category] = await callApi<{ _id: string }[]>(farmer, 'GET', '/categories');
    return callApi<Product>(farmer, 'POST', '/products', {
      name: 'Figs',
      description: 'Sweet and soft.',
      category: category?._id,
      price: 4,
      unit: 'lb',
      quantityAvailable: 20,
      ...product,
    });
  }

  /** Places an order over the API, without a page. */
  async function placeOrder(account: Account, product: Product, quantity = 1): Promise<Order> {
    const { token } = await session(account);
    const wanted = { id: product._id, farmer: product.farmer._id };
    const key = randomUUID();
    return dataOf<Order>(
      await whenServed(() => order(running().url, { token, product: wanted, quantity, key })),
    );
  }

  /** Rejects all pending orders of the farmer. */
  async function rejectPendingOrders(): Promise<void> {
    const waiting = await callApi<Order[]>('farmer', 'GET', '/orders/farmer?status=pending');
    for (const { _id } of waiting) {
      await callApi('farmer', 'PUT', `/orders/${_id}`, { status: 'rejected' });
    }
  }

  /** Returns what waits about an order, as its farm reads it; there is some. */
  const attentions = (account: Account, { _id }: Order): Promise<Attention[]> =>
    until('what waits about the order', async () => {
      const all = await callApi<Attention[]>(account, 'GET', '/attention');
      const about = all.filter(({ order }) => order?._id === _id);
      return about.length > 0 ? about : undefined;
    });

  /** Says "I'm on it" of an order. */
  async function acknowledge(account: Account, order: Order): Promise<void> {
    const ids = (await attentions(account, order)).map(({ _id }) => _id);
    await callApi(account, 'POST', '/attention/ack', { ids });
  }

  return {
    attentions,
    acknowledge,
    stack: running,
    session,
    visit,
    open,
    callApi,
    createProduct,
    placeOrder,
    rejectPendingOrders,
  };
}

function dataOf<Data>(answer: Answer): Data {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ error: undefined });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** The words of the connection badge, by the state of the connection. */
const BADGE_WORDS = { Live: 'Up to date', Reconnecting: 'Reconnecting', Offline: 'Offline' };

/** The connection badge of a page in a state. */
export const badge = ({ page }: Person, state: keyof typeof BADGE_WORDS): Locator =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${BADGE_WORDS[state]}`) })
    .first();

/** What waits for the answer of a farm's people, on every page of theirs. */
export const sheetOf = ({ page }: Person): Locator =>
  page.getByRole('complementary', { name: 'Waiting for you' });

/** The toast about new orders, where they do not ring. */
export const orderToast = ({ page }: Person): Locator =>
  page.locator('[data-sonner-toast]').filter({ hasText: /[Nn]ew order/ });

/**
 * Clicks a farmer's page until it may play sounds, which browsers allow after a user gesture: the code that asks for it
 * is loaded late, and the sound starts in its own time.
 */
export async function allowSound({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    const { resume } = AudioContext.prototype;
    AudioContext.prototype.resume = function () {
      Object.assign(window, { audio: this });
      return resume.call(this);
    };
  });
  await until('sound to be allowed', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    return page.evaluate(
      () => (window as unknown as { audio?: AudioContext }).audio?.state === 'running',
    );
  });
}

/** The button that opens the notifications. */
export const bell = ({ page }: Person): Locator =>
  page.getByRole('button', { name: /^Notifications/ });

/** Returns the count of unread notifications at the bell. */
export const unreadCount = async (person: Person): Promise<number> =>
  Number(/\d+/.exec((await bell(person).textContent()) ?? '')?.[0] ?? 0);

/** Returns the count of pending orders in the tab's title. */
export const pendingCountInTitle = async ({ page }: Person): Promise<number> =>
  Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);

/** Marks the page. @returns a check that fails when the page was reloaded since */
export async function expectNoReload({ page }: Person): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }));
  return async () => {
    expect(await page.evaluate(() => 'wasNotReloaded' in window), 'the page was reloaded').toBe(
      true,
    );
  };
}

/** Waits until a locator matches `count` elements. */
export const untilCount = (what: string, locator: Locator, count: number) =>
  until(what, async () => (await locator.count()) === count);
