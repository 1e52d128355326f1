import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { doMainJob } from './main-job.ts';
import { sharedBrowser } from './people.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), sharedBrowser()]);
});
afterAll(() => stack?.close());

it('updates an order live for consumer, farmer and admin', () => doMainJob(browser, stack.url));
