import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { User } from '#contract/people/users/users';
import { WAIT_MS } from '../testing/until.ts';

/** The demo accounts by role. */
export const ACCOUNTS = {
  admin: 'admin@farmgate.test',
  farmer: 'farmer@farmgate.test',
  farmer2: 'farmer2@farmgate.test',
  consumer: 'consumer@farmgate.test',
  consumer2: 'consumer2@farmgate.test',
} as const;
export type Account = keyof typeof ACCOUNTS;
export const PASSWORD = 'password123';

export interface Session {
  token: string;
  user: User;
}

/**
 * Launches the browser that `npm test` found. `isWhole` selects the full browser, which system notifications
 * need, instead of the headless build; `args` are added to its command. @throws when there is no browser
 */
export function launchBrowser({
  isWhole = false,
  args = [],
}: {
  isWhole?: boolean;
  args?: string[];
} = {}): Promise<Browser> {
  const { CHROMIUM_PATH, CHROMIUM_HEADLESS_PATH } = process.env;
  const executablePath = isWhole ? CHROMIUM_PATH : (CHROMIUM_HEADLESS_PATH ?? CHROMIUM_PATH);
  if (!executablePath) {
    throw new Error('CHROMIUM_PATH names no browser: run the browser tests with npm test.');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the headless browser that the test files of a process use one after the other; each person has a context
 * of their own in it. It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  // A page of a test is gone before code that is compiled a second time pays for itself.
  const args = ['--js-flags=--no-opt --no-maglev'];
  if (!running?.isConnected()) shared = launchBrowser({ args });
  return shared as Promise<Browser>;
}

/** Opens a context whose pages wait for a control or an address as long as tests wait for any state. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/**
 * Loses what a page sends over its WebSockets while it is offline, as a lost network does. Chromium offers such a
 * frame to the emulated network again and again, which takes a whole core until the page is online.
 */
const loseFramesOffline = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      if (navigator.onLine) send.call(this, data);
    };
  });

/** Signs in over the API. */
export async function signIn(url: string, email: string): Promise<Session> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`Signing in failed: ${await response.text()}`);
  return (await response.json()) as Session;
}

/** A person with their own browser context, and the errors of their page. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors that the page logged or threw. */
  pageErrors: string[];
}

const noteTakeover = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    document.addEventListener('farmgate:settled', () => Object.assign(window, { isSettled: true }));
  });

/**
 * Waits until the client has taken over the page, and what is pressed shows at once; what is pressed sooner follows
 * later. Where there is no client, nothing is waited for.
 */
export const untilTakenOver = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      'isSettled' in window ||
      (document.readyState === 'complete' && !document.querySelector('#root')),
  );

/** Lets `goto` and `reload` wait for the takeover too, unless a test says itself what to wait for. */
function waitForTakeoverOf(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await untilTakenOver(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await untilTakenOver(page);
    return response;
  };
}

/**
 * Opens a browser context. With `as` the person is already signed in, with token and user in the browser's
 * storage.
 */
export async function openPerson(
  browser: Browser,
  url: string,
  options: {
    as?: Account | Session;
    width?: number;
    height?: number;
    dark?: boolean;
    reducedMotion?: boolean;
    /** The person's time zone; the machine's by default. */
    timezoneId?: string;
    /** What the browser prefers; `en-US` without it. */
    locale?: string;
    /** Lets the page register its service worker. */
    hasWorker?: boolean;
    /** Allows a test to inject scripts into the page. */
    bypassCSP?: boolean;
  } = {},
): Promise<Person> {
  const context = await openContext(browser, {
    baseURL: url,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: (options.reducedMotion ?? true) ? 'reduce' : 'no-preference',
    bypassCSP: options.bypassCSP ?? false,
    // Off by default: every context would fetch the whole application again.
    serviceWorkers: options.hasWorker ? 'allow' : 'block',
    ...(options.timezoneId ? { timezoneId: options.timezoneId } : {}),
    ...(options.locale ? { locale: options.locale } : {}),
    hasTouch: (options.width ?? 1280) < 600,
  });
  await loseFramesOffline(context);
  if (options.as) {
    const session =
      typeof options.as === 'string' ? await signIn(url, ACCOUNTS[options.as]) : options.as;
    await context.addInitScript(
      ([token, user]) => {
        // Only once, so that a later sign-out on the page is not undone.
        if (sessionStorage.getItem('signed-in-by-test')) return;
        sessionStorage.setItem('signed-in-by-test', 'yes');
        localStorage.setItem('token', token);
        localStorage.setItem('user', user);
      },
      [session.token, JSON.stringify(session.user)] as const,
    );
  }
  await noteTakeover(context);
  const page = await context.newPage();
  waitForTakeoverOf(page);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  return { page, context, pageErrors };
}

/** Holds a page's requests of these addresses back until the returned function is called. */
export async function holdRequests(page: Page, addresses: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Holds the client's scripts back until the returned function is called. */
export const holdScripts = (page: Page) => holdRequests(page, '**/assets/*.js');

/** Waits until the page has its style sheet, without which nothing has its place. */
export const hasStyles = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.sheet != null,
  );
