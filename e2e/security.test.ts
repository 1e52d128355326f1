import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNTS, type Account, launchBrowser, openPerson, signIn } from './people.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ workers: 0 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const firstId = async (path: string, as?: Account): Promise<string> => {
  const token = as ? (await signIn(stack.url, ACCOUNTS[as])).token : '';
  const response = await fetch(`${stack.url}/api${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  const { data } = await response.json();
  return data[0].user?._id ?? data[0]._id;
};

/** Returns the pages that each role can open. */
async function pagesOf(who: Account | 'visitor'): Promise<string[]> {
  if (who === 'visitor') {
    return [
      '/',
      '/about',
      '/products',
      `/products/${await firstId('/products')}`,
      '/farmers',
      `/farmers/${await firstId('/users/farmers')}`,
      '/login',
      '/register',
      '/forgot-password',
      '/reset-password?token=x',
      '/nowhere',
      '/api/docs',
    ];
  }
  if (who === 'consumer') {
    return [
      '/profile',
      '/orders',
      `/orders/${await firstId('/orders/consumer', who)}`,
      '/messages',
      `/messages/${await firstId('/messages', who)}`,
      '/checkout',
    ];
  }
  if (who === 'farmer') {
    return [
      '/farmer/dashboard',
      '/farmer/products',
      '/farmer/products/add',
      `/farmer/products/edit/${await firstId('/products/farmer/me', who)}`,
      '/farmer/orders',
      '/farmer/profile',
    ];
  }
  return [
    '/admin/dashboard',
    '/admin/users',
    '/admin/categories',
    '/admin/orders',
    `/admin/orders/${await firstId('/orders', who)}`,
    '/admin/audit',
    '/admin/messages',
  ];
}

/** Opens the account menu, the notifications, dialogs and toasts of the page. */
async function openOverlays(page: Page): Promise<void> {
  const openers = [
    page.getByRole('button', { name: /notifications/i }),
    page.locator('[aria-haspopup=menu]'),
    page.locator('[aria-haspopup=dialog]'),
    page.getByRole('button', { name: /^(Update Status|Add category|Delete|Filters|Subscribe)/ }),
  ];
  for (const opener of openers) {
    const first = opener.locator('visible=true').first();
    if (!(await first.isVisible()) || !(await first.isEnabled())) continue;
    await first.click();
    await page.waitForTimeout(200);
    await page.keyboard.press('Escape');
  }
}

it.each(['visitor', 'consumer', 'farmer', 'admin'] as const)(
  'violates no content security policy on any page of a %s',
  async (who) => {
    const person = await openPerson(browser, stack.url, who === 'visitor' ? {} : { as: who });
    const violations: string[] = [];
    await person.context.exposeFunction('reportViolation', (what: string) => violations.push(what));
    await person.context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { reportViolation } = window as unknown as {
          reportViolation: (what: string) => void;
        };
        const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
        reportViolation(
          `${location.pathname}: ${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`,
        );
      });
    });
    for (const path of await pagesOf(who)) {
      const response = await person.page.goto(path, { waitUntil: 'load' });
      const policy = response?.headers()['content-security-policy'] ?? '';
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).not.toContain('unsafe');
      await person.page.getByRole('heading', { level: 1 }).first().waitFor();
      await openOverlays(person.page);
    }
    expect(violations).toEqual([]);
    await person.context.close();
  },
);
