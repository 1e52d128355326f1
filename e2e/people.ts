import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { User } from '#contract/users';

/** The demo accounts, by who they are to a test. */
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
 * Opens a browser that `npm test` found. Where a page asks for what only a whole browser has, as
 * notifications of the system, say so. @throws with a sentence when there is none
 */
export function launchBrowser({ isWhole = false } = {}): Promise<Browser> {
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
    ],
  });
}

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

/** A person at a browser of their own: a page, and whatever it complained about. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors the page logged or threw. */
  complaints: string[];
}

/**
 * Gives someone a browser. With `as` they are signed in already, the way a returning visitor is: token
 * and user in the browser's storage.
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
    /** Lets a test put scripts of its own into the page. */
    bypassCSP?: boolean;
  } = {},
): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    bypassCSP: options.bypassCSP ?? false,
    hasTouch: (options.width ?? 1280) < 600,
  });
  context.setDefaultTimeout(15_000);
  if (options.as) {
    const session =
      typeof options.as === 'string' ? await signIn(url, ACCOUNTS[options.as]) : options.as;
    await context.addInitScript(
      ([token, user]) => {
        // Once only: a later sign-out of the page's own must stay one.
        if (sessionStorage.getItem('signed-in-by-test')) return;
        sessionStorage.setItem('signed-in-by-test', 'yes');
        localStorage.setItem('token', token);
        localStorage.setItem('user', user);
      },
      [session.token, JSON.stringify(session.user)] as const,
    );
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, context, complaints };
}
