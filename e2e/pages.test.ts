import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED } from './open-market.ts';
import {
  fillCart,
  injectAxe,
  openPageFixture,
  type PageFixture,
  pages,
  setColorScheme,
  sidewaysScroll,
  type Viewer,
  viewers,
  violations,
  waitUntilLoaded,
  waitUntilStill,
} from './page-list.ts';
import type { Person } from './people.ts';

const market = openMarket({ hasWorker: false });
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** Notes what the content security policy of a page forbids. */
async function noteViolations({ context }: Person, wrong: string[]): Promise<void> {
  await context.exposeFunction('reportViolation', (what: string) => wrong.push(what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation: (what: string) => void };
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      reportViolation(
        `${location.pathname}: ${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`,
      );
    });
  });
}

/** Opens the account menu, the notifications, dialogs and toasts of the page, for what they may violate. */
async function openOverlays(page: Page): Promise<void> {
  // What stands behind an open dialog cannot be pressed.
  if ((await page.getByRole('dialog').count()) > 0) return;
  const openers = [
    page.getByRole('button', { name: /notifications/i }),
    page.locator('[aria-haspopup=menu]'),
    page.locator('[aria-haspopup=dialog]'),
    page.getByRole('button', { name: /^(Update Status|Add category|Delete|Filters|Subscribe)/ }),
  ];
  // A panel or a menu, or what an empty form is told.
  const opened = page.locator(
    '[role=menu], [role=dialog], [role=alertdialog], [aria-expanded=true], [aria-invalid=true]',
  );
  for (const opener of openers) {
    const first = opener.locator('visible=true').first();
    if (!(await first.isVisible()) || !(await first.isEnabled())) continue;
    const before = await opened.count();
    await first.click();
    await until(`what opens on ${page.url()} to be there`, async () => {
      return (await opened.count()) !== before;
    });
    await waitUntilStill(page);
    await page.keyboard.press('Escape');
  }
}

it.each(viewers)(
  'shows every page of a %s accessibly, without errors and within its policy, wide and narrow',
  async (viewer) => {
    const visitor = await market.visit({
      ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
      allowedErrors: REFUSED,
    });
    const { page, pageErrors } = visitor;
    const wrong: string[] = [];
    await noteViolations(visitor, wrong);
    if (viewer === 'consumer') await fillCart(page, fixture);
    for (const [index, [path, title]] of pages[viewer].entries()) {
      const expectRefusal = /nothing$|nobody$|^\/no\/such/.test(path);
      pageErrors.length = 0;
      await page.setViewportSize({ width: 1280, height: 800 });
      const response = await page.goto(fixture.addressOf(path));
      const policy = response?.headers()['content-security-policy'] ?? '';
      if (!policy.includes("default-src 'none'") || policy.includes('unsafe')) {
        wrong.push(`${path} has the policy '${policy}'`);
      }
      await setColorScheme(page, 'light');
      await waitUntilLoaded(page);
      await injectAxe(page);
      const shownTitle = (await page.title()).replace(/^\(\d+\) /, '').replace(/ · Farmgate$/, '');
      if (!title.test(shownTitle)) wrong.push(`${path} is called '${shownTitle}'`);
      // Axe takes a second for a state: every other page is examined wide and light, the others narrow and dark.
      // `npm run test:ui` examines each in all states.
      const isExaminedWide = index % 2 === 0;
      if (isExaminedWide) {
        wrong.push(...(await violations(page)).map((what) => `${path}, light: ${what}`));
      }

      await openOverlays(page);

      await page.setViewportSize({ width: 360, height: 740 });
      await setColorScheme(page, 'dark');
      await waitUntilLoaded(page);
      const excess = await sidewaysScroll(page);
      if (excess > 0) wrong.push(`${path} scrolls sideways by ${excess} px`);
      if (!isExaminedWide) {
        wrong.push(...(await violations(page)).map((what) => `${path}, dark: ${what}`));
      }
      wrong.push(
        ...pageErrors
          .filter((words) => !(expectRefusal && REFUSED.test(words)))
          .map((words) => `${path} logs: ${words}`),
      );
    }
    expect(wrong).toEqual([]);
  },
);

/** The redirects of each viewer from a route; empty where they may stay. */
const guarded: Record<string, Record<Viewer, string[]>> = {};
const stay: string[] = [];
const viaLogin = {
  visitor: ['/login'],
  consumer: ['/login', '/'],
  farmer: ['/login', '/farmer/dashboard'],
  admin: ['/login', '/admin/dashboard'],
};
for (const path of [
  '/',
  '/about',
  '/help',
  '/terms',
  '/privacy',
  '/farmers',
  '/farmers/:farmer',
  '/products',
  '/products/:product',
  '/forgot-password',
  '/reset-password',
  '/no/such/page',
]) {
  guarded[path] = { visitor: stay, consumer: stay, farmer: stay, admin: stay };
}
for (const path of ['/login', '/register']) {
  guarded[path] = {
    visitor: stay,
    consumer: ['/'],
    farmer: ['/farmer/dashboard'],
    admin: ['/admin/dashboard'],
  };
}
for (const path of ['/profile', '/messages', '/messages/:farmer', '/orders', '/orders/:order']) {
  guarded[path] = {
    visitor: ['/login'],
    consumer: stay,
    farmer: stay,
    admin: ['/admin/dashboard'],
  };
}
guarded['/checkout'] = { ...viaLogin, consumer: stay };
for (const path of [
  '/farmer/dashboard',
  '/farmer/products',
  '/farmer/products/add',
  '/farmer/products/edit/:own',
  '/farmer/orders',
  '/farmer/settings',
  '/farmer/slots',
]) {
  guarded[path] = { ...viaLogin, farmer: stay };
}
guarded['/farmer/profile'] = { visitor: ['/login'], consumer: stay, farmer: stay, admin: stay };
for (const path of [
  '/admin/dashboard',
  '/admin/users',
  '/admin/categories',
  '/admin/orders',
  '/admin/orders/:order',
  '/admin/users/:farmer',
  '/admin/products/:own',
  '/admin/audit',
  '/admin/pages',
  '/admin/security',
  '/admin/market',
  '/admin/messages',
  '/admin/messages/:consumer',
]) {
  guarded[path] = { ...viaLogin, admin: stay };
}

it.each(viewers)('redirects a %s to permitted pages', async (viewer) => {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    allowedErrors: REFUSED,
  });
  await page.goto('/about');
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  await page
    .getByRole('banner')
    .getByRole('link', { name: 'Login' })
    .or(page.getByRole('banner').locator('button[aria-haspopup="menu"]'))
    .first()
    .waitFor();
  const redirects: Record<string, string[]> = {};
  for (const path of Object.keys(guarded)) {
    redirects[path] = await page.evaluate(async (address) => {
      const steps: string[] = [];
      const replaceState = history.replaceState;
      history.replaceState = (...to) => {
        steps.push(new URL(String(to[2]), location.href).pathname);
        replaceState.apply(history, to);
      };
      history.pushState(null, '', address);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      history.replaceState = replaceState;
      return steps;
    }, fixture.addressOf(path));
  }
  const wanted = Object.entries(guarded).map(([path, by]) => [path, by[viewer]]);
  expect(redirects).toEqual(Object.fromEntries(wanted));

  // The same on a full page load, before the session is known.
  const closed = Object.entries(guarded).find(([, by]) => by[viewer].length > 0);
  if (!closed) return;
  await page.goto(fixture.addressOf(closed[0]));
  const end = closed[1][viewer].at(-1);
  await until('the guard', () => new URL(page.url()).pathname === end);
});

it('shows the reference of the API within its policy', async () => {
  const visitor = await market.visit();
  const wrong: string[] = [];
  await noteViolations(visitor, wrong);
  const response = await visitor.page.goto('/api/docs', { waitUntil: 'load' });
  expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
  await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(wrong).toEqual([]);
});
