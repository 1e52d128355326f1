import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
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
} from '../page-list.ts';
import { openings } from './openings.ts';

const market = openMarket();
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

const SIZES = {
  wide: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  narrow: { width: 360, height: 740 },
} as const;
const THEMES = ['light', 'dark'] as const;
/** Rules beyond those of `pages.test.ts`: the order of headings, and targets of at least 24 px. */
const RULES = ['heading-order', 'target-size'];

async function open(viewer: Viewer): Promise<Page> {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    allowedErrors: REFUSED,
    bypassCSP: true,
    reducedMotion: true,
  });
  if (viewer === 'consumer') await fillCart(page, fixture);
  return page;
}

it.each(viewers)('shows every page of a %s accessibly in all sizes and themes', async (viewer) => {
  const page = await open(viewer);
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await page.goto(fixture.addressOf(path));
      for (const theme of THEMES) {
        await setColorScheme(page, theme);
        await waitUntilLoaded(page);
        await injectAxe(page);
        const found = await violations(page, RULES);
        wrong.push(...found.map((what) => `${path}, ${size}, ${theme}: ${what}`));
      }
      wrong.push(...(await tinyTargets(page)).map((what) => `${path}, ${size}: ${what}`));
      const excess = await sidewaysScroll(page);
      if (excess > 0) wrong.push(`${path}, ${size} scrolls sideways by ${excess} px`);
    }
  }
  expect(wrong).toEqual([]);
});

it.each(viewers)('shows every menu and dialog of a %s accessibly', async (viewer) => {
  const page = await open(viewer);
  const wrong: string[] = [];
  for (const opening of openings[viewer]) {
    for (const size of ['wide', 'narrow'] as const) {
      if (opening.only && opening.only !== size) continue;
      await page.setViewportSize(SIZES[size]);
      await page.goto(fixture.addressOf(opening.path));
      await setColorScheme(page, 'light');
      await waitUntilLoaded(page);
      await opening.open(page);
      for (const theme of THEMES) {
        await setColorScheme(page, theme);
        await waitUntilLoaded(page);
        await injectAxe(page);
        const found = await violations(page, RULES);
        wrong.push(...found.map((what) => `${opening.name}, ${size}, ${theme}: ${what}`));
      }
      const excess = await sidewaysScroll(page);
      if (excess > 0) wrong.push(`${opening.name}, ${size} scrolls sideways by ${excess} px`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Links, buttons and fields of less than 24 px either way; a link in a sentence is as high as its line. */
async function tinyTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, select, textarea, input:not([type="radio"], [type="checkbox"], [type="file"], [type="hidden"])',
      ),
    ]
      .filter((target) => target.checkVisibility() && !target.matches(':disabled, .sr-only *'))
      .filter((target) => {
        const around = target.parentElement?.closest('p, li, dd, td, label, div');
        const isAlone = around?.textContent.trim() === target.textContent.trim();
        return isAlone || getComputedStyle(target).display !== 'inline';
      })
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        // What may be pressed around it is drawn behind it.
        const { content, position, top, right, bottom, left } = getComputedStyle(target, '::after');
        const isLarger = content !== 'none' && position === 'absolute';
        const beyond = (...sides: string[]) =>
          isLarger
            ? sides.reduce((sum, side) => sum + Math.max(0, -Number.parseFloat(side) || 0), 0)
            : 0;
        return width + beyond(left, right) < 23.5 || height + beyond(top, bottom) < 23.5;
      })
      .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`;
      }),
  );
}

/** Buttons and fields, and links that stand alone, with less than 44 px between top and bottom. */
async function smallTargets(page: Page): Promise<string[]> {
  await waitUntilStill(page);
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(button, select, textarea, [role="tab"]), main input:not([type="radio"], [type="checkbox"], [type="file"]), nav[data-bottom-bar] a, main label:has(input[type="radio"], input[type="checkbox"])',
      ),
    ]
      .filter((target) => target.checkVisibility() && !target.matches(':disabled, .sr-only *'))
      .filter((target) => target.getBoundingClientRect().height < 43.5)
      .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`;
      }),
  );
}

it.each(['farmer', 'admin'] as const)(
  'gives a %s targets of 44 px on a touch screen',
  async (role) => {
    const { page } = await market.visit({
      as: fixture.sessions[role],
      allowedErrors: REFUSED,
      width: 360,
      height: 740,
    });
    const wrong: string[] = [];
    for (const [path] of pages[role].filter(([each]) => !each.endsWith('nothing'))) {
      await page.goto(fixture.addressOf(path));
      await waitUntilLoaded(page);
      wrong.push(...(await smallTargets(page)).map((what) => `${path}: ${what}`));
    }
    expect(wrong).toEqual([]);
  },
);

it("shows the market's own texts and an invitation accessibly", async () => {
  const as = fixture.sessions.admin;
  const texts = { terms: 'Terms of sale', privacy: 'What we keep' };
  for (const [slug, title] of Object.entries(texts)) {
    const body = '# Who\n\nAnybody **may**.\n\n- See [help](/help)\n- Ask\n\n## When\n\nAlways.';
    await market.call('PUT', `/market/pages/${slug}`, { as, body: { title, body } });
  }
  const email = `${crypto.randomUUID()}@example.org`;
  const invited = { as: fixture.sessions.farmer, body: { email, role: 'packer' } };
  await market.call('POST', '/farm/members', invited);
  const [, token] = /\/invites\/([\w-]+)/.exec(await market.mailTo(email, '/invites/')) ?? [];
  const wrong: string[] = [];
  for (const viewer of ['visitor', 'consumer', 'farmer'] as const) {
    const page = await open(viewer);
    const own = [`/invites/${token}`, '/invites/no-such-invitation'];
    const paths = viewer === 'visitor' ? ['/terms', '/privacy', '/register', ...own] : own;
    for (const path of paths) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await page.goto(path);
        for (const theme of THEMES) {
          await setColorScheme(page, theme);
          await waitUntilLoaded(page);
          await injectAxe(page);
          const found = await violations(page, RULES);
          wrong.push(...found.map((what) => `${viewer}, ${path}, ${size}, ${theme}: ${what}`));
        }
        const excess = await sidewaysScroll(page);
        if (excess > 0) wrong.push(`${viewer}, ${path}, ${size} scrolls sideways by ${excess} px`);
      }
    }
  }
  expect(wrong).toEqual([]);
});
