import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Order } from '#contract/orders';
import type { Product } from '#contract/products';
import { type Answer, ask, order } from '../faults/ground.ts';
import {
  ACCOUNTS,
  type Account,
  launchBrowser,
  openPerson,
  type Person,
  type Session,
  signIn,
} from '../people.ts';
import { type Stack, startStack, until } from '../stack.ts';

type StackOptions = NonNullable<Parameters<typeof startStack>[0]>;

/** Milliseconds that anything on a page may take on a busy machine. */
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);

/** Someone at a browser, and who they are to the API. */
export type Actor = Person & { session: Session };

type Look = Pick<NonNullable<Parameters<typeof openPerson>[2]>, 'width' | 'height' | 'dark'> & {
  /** What is done to the browser before it loads anything. */
  prepare?: (context: BrowserContext) => Promise<unknown>;
};

/**
 * A market for the tests of one file, and a browser for the people in it, a whole one if need be; both
 * end with the file.
 */
export function openMarket({
  isWhole = false,
  ...options
}: StackOptions & { isWhole?: boolean } = {}) {
  let stack: Stack | undefined;
  let browser: Browser | undefined;
  const present: Person[] = [];
  const sessions = new Map<Account, Promise<Session>>();

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(options), launchBrowser({ isWhole })]);
  }, 240_000);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await remember(task.id);
    await Promise.all(present.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const running = (): Stack => {
    if (!stack) throw new Error('The market is not open yet.');
    return stack;
  };

  /** Keeps what everybody saw when a test failed, and says where, and what the programs said. */
  async function remember(name: string): Promise<void> {
    const pages = present.flatMap(({ context }) => context.pages());
    for (const [index, page] of pages.entries()) {
      const file = path.join(tmpdir(), `farmgate-failed-${name}-${index}.png`);
      await page.screenshot({ path: file }).catch(() => undefined);
      console.log(`${page.url()}: ${file}`);
    }
    for (const program of [...running().servers, ...running().workers]) {
      const state = program.isRunning() ? 'running' : 'ended';
      console.log(`${program.role} ${program.pid} ${state}: ${program.output().slice(-4000)}`);
    }
  }

  /** A session of one of the demo accounts. */
  function session(account: Account): Promise<Session> {
    const known = sessions.get(account) ?? signIn(running().url, ACCOUNTS[account]);
    sessions.set(account, known);
    return known;
  }

  /** Gives someone a browser of their own and goes to a page. */
  async function visit(
    address: string,
    as?: Session,
    { prepare, ...look }: Look = {},
  ): Promise<Person> {
    if (!browser) throw new Error('The market is not open yet.');
    const person = await openPerson(browser, running().url, { ...look, ...(as ? { as } : {}) });
    present.push(person);
    person.context.setDefaultTimeout(PATIENCE);
    await prepare?.(person.context);
    await person.page.goto(address);
    return person;
  }

  /** Someone with an account goes to a page, and waits until what they see is live. */
  async function open(account: Account, address: string, look?: Look): Promise<Actor> {
    const own = await session(account);
    const person = await visit(address, own, look);
    await badge(person, 'Live').waitFor();
    return { ...person, session: own };
  }

  /** Asks the API in somebody's name. @throws when it refuses */
  async function act<Data>(
    account: Account,
    method: string,
    pathname: string,
    body?: unknown,
  ): Promise<Data> {
    const { token } = await session(account);
    const answer = await ask(running().url, method, pathname, { token, body });
    return dataOf<Data>(answer);
  }

  /** The farmer brings something to the market. */
  async function bring(
    product: Partial<{ name: string; price: number; quantityAvailable: number; category: string }>,
    farmer: 'farmer' | 'farmer2' = 'farmer',
  ): Promise<Product> {
    const [category] = await act<{ _id: string }[]>(farmer, 'GET', '/categories');
    return act<Product>(farmer, 'POST', '/products', {
      name: 'Figs',
      description: 'Sweet and soft.',
      category: category?._id,
      price: 4,
      unit: 'lb',
      quantityAvailable: 20,
      ...product,
    });
  }

  /** Somebody buys of a product, behind everybody's back. */
  async function buy(account: Account, product: Product, quantity = 1): Promise<Order> {
    const { token } = await session(account);
    const wanted = { id: product._id, farmer: product.farmer._id };
    return dataOf<Order>(await order(running().url, { token, product: wanted, quantity }));
  }

  /** Answers everything that waits for the farmer. */
  async function clearTable(): Promise<void> {
    const waiting = await act<Order[]>('farmer', 'GET', '/orders/farmer?status=pending');
    for (const { _id } of waiting) {
      await act('farmer', 'PUT', `/orders/${_id}`, { status: 'rejected' });
    }
  }

  return { stack: running, session, visit, open, act, bring, buy, clearTable };
}

function dataOf<Data>(answer: Answer): Data {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ error: undefined });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** The word on how this person's page hears of news. */
export const badge = ({ page }: Person, word: 'Live' | 'Reconnecting' | 'Offline'): Locator =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${word}`) })
    .first();

/** What tells a farmer of new orders until it is seen. */
export const alertOf = ({ page }: Person): Locator =>
  page.locator('[data-sonner-toast]').filter({ hasText: /[Nn]ew order/ });

/** The button that opens the notifications. */
export const bell = ({ page }: Person): Locator =>
  page.getByRole('button', { name: /^Notifications/ });

/** How many notifications the bell says are unread. */
export const unreadOf = async (person: Person): Promise<number> =>
  Number(/\d+/.exec((await bell(person).textContent()) ?? '')?.[0] ?? 0);

/** How many orders the tab's title says are waiting. */
export const waitingOf = async ({ page }: Person): Promise<number> =>
  Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);

/** Watches that the page is never loaded anew. @returns what fails when it was */
export async function mustNotReload({ page }: Person): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { isStillTheSame: true }));
  return async () => {
    expect(await page.evaluate(() => 'isStillTheSame' in window), 'the page was loaded anew').toBe(
      true,
    );
  };
}

/** Waits until a page shows this many of something. */
export const untilCount = (what: string, locator: Locator, count: number) =>
  until(what, async () => (await locator.count()) === count, PATIENCE);
