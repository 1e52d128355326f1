import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  fillCart,
  follow,
  openPageFixture,
  type PageFixture,
  pages,
  sidewaysScroll,
  viewers,
  waitUntilStill,
} from '../page-list.ts';
import { ACCOUNTS, signIn } from '../people.ts';
import { openings } from './openings.ts';
import { buildPseudo, gatherWritten, outsideOfBrackets } from './pseudo.ts';
import { type Shift, watchShifts } from './shifts.ts';

// Every page, menu and dialog in a language of brackets, and every page in Urdu: nothing on them is English but what
// people wrote, and nothing is wider than the window.

let removeRelease = async () => {};
const market = openMarket({
  build: async () => {
    const { programs, remove } = await buildPseudo();
    removeRelease = remove;
    return programs;
  },
});
afterAll(() => removeRelease());

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { languages: ['en', 'ur', 'de'] } });
});

/** Names of days, months and units that `Intl` writes in German. */
const OF_INTL =
  /^(Mo|Di|Mi|Do|Fr|Sa|So|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Jan|Feb|März|Mär|Apr|Mai|Juni|Juli|Jun|Jul|Aug|Sept|Sep|Okt|Nov|Dez|Januar|Februar|April|August|September|Oktober|November|Dezember|Uhr|vor|in|und|oder|kg|km|PKR|Rs|Facebook|Instagram)$/;

/** Returns the words of these texts that neither people wrote nor `Intl`. */
const english = (texts: readonly string[], written: ReadonlySet<string>, isTheirs: RegExp) =>
  texts.filter((text) =>
    (text.split(' @ ')[0]?.match(/[\p{L}\p{M}]{2,}/gu) ?? []).some(
      (word) => !isTheirs.test(word) && !written.has(word),
    ),
  );

/** Opens the first page of somebody who reads this language. */
async function openIn(language: 'de' | 'ur', viewer: (typeof viewers)[number]) {
  const person = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    allowedErrors: REFUSED,
  });
  if (viewer === 'consumer') await fillCart(person.page, fixture);
  if (viewer === 'visitor')
    await person.context.addCookies([{ name: 'language', value: language, url: market.url }]);
  else
    await market.call('PUT', '/users/profile', {
      as: fixture.sessions[viewer],
      body: { language },
    });
  const written = gatherWritten(person.page);
  await person.page.goto(fixture.addressOf(pages[viewer][0]?.[0] ?? '/'));
  await person.page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
  return { page: person.page, written };
}

/** Looks at the open page at both widths. */
async function lookAt(page: Page, words: () => Promise<string[]>): Promise<string[]> {
  const wrong = new Set<string>();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await waitUntilStill(page);
    const sideways = await sidewaysScroll(page);
    if (sideways > 0) wrong.add(`${sideways} px wider than ${width} px`);
    for (const text of await words()) wrong.add(text);
  }
  return [...wrong];
}

it.each(viewers)('a %s finds no English on any page, menu and dialog', async (viewer) => {
  const { page, written } = await openIn('de', viewer);
  const words = async () => english(await outsideOfBrackets(page), written, OF_INTL);
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    await follow(page, fixture.addressOf(path));
    wrong.push(...(await lookAt(page, words)).map((what) => `${path}: ${what}`));
  }
  for (const { name, path, open, only } of openings[viewer]) {
    await page.setViewportSize({ width: only === 'narrow' ? 360 : 1280, height: 800 });
    await follow(page, fixture.addressOf(path));
    await open(page);
    await waitUntilStill(page);
    wrong.push(...(await words()).map((what) => `${path}, ${name}: ${what}`));
    await page.goto(fixture.addressOf(path));
  }
  expect([...new Set(wrong)]).toEqual([]);
});

/** Signs that people and `Intl` write in Latin letters in any language: units, currencies, codes. */
const LATIN =
  /\P{Script=Latin}|^(kg|km|PKR|Rs|ID|PDF|CSV|IP|https?|www|com|test|example|Farmgate|Facebook|Instagram)$/u;

it.each(viewers)('a %s who reads Urdu finds every page whole and in Urdu', async (viewer) => {
  const { page, written } = await openIn('ur', viewer);
  const words = async () =>
    english(
      (await outsideOfBrackets(page)).filter((text) =>
        /\p{Script=Latin}{2,}/u.test(text.split(' @ ')[0] ?? ''),
      ),
      written,
      LATIN,
    );
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    await follow(page, fixture.addressOf(path));
    wrong.push(...(await lookAt(page, words)).map((what) => `${path}: ${what}`));
  }
  expect([...new Set(wrong)]).toEqual([]);
});

it.each(['/', '/products', '/orders'])(
  'moves nothing of %s half a second after another language is chosen',
  async (path) => {
    const { page } = await market.visit({ as: await market.register('consumer', 'Moved Nowhere') });
    await watchShifts(page);
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().click();
    // Shifts within half a second of a press do not count, as the browser has it.
    await page.getByRole('menuitem', { name: 'اردو' }).click();
    await page.waitForFunction(() => document.documentElement.lang === 'ur');
    await waitUntilStill(page);
    await page.waitForLoadState('networkidle');
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    expect(shifts.filter(({ value }) => value > 0.01)).toEqual([]);
  },
);
