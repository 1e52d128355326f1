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

/** Names that are the same in every language: of languages, services, formats, keys and the team. */
const NAMES =
  'Maya|Lindgren|Tomás|Herrera|Priya|Raman|Owen|Clarke|Grace|Abara|English|Deutsch|Facebook|Instagram|Twitter|Postgres|Redis|Markdown|JPEG|PNG|WebP|AVIF|HEIC|PDF|CSV|ID|IP|MB|ms|kg|km|PKR|Rs|AM|PM|alt';
/** What `Intl` writes in German: days, months, how long ago something was, and the zone of the city in the opening. */
const OF_INTL = new RegExp(
  `^(${NAMES}|اردو|Mo|Di|Mi|Do|Fr|Sa|So|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Jan|Feb|März|Mär|Apr|Mai|Juni|Juli|Jun|Jul|Aug|Sept|Sep|Okt|Nov|Dez|Januar|Februar|April|August|September|Oktober|November|Dezember|Uhr|um|vor|in|und|oder|Sekunden?|Minuten?|Stunden?|Tag|Tagen|Wochen?|gestern|vorgestern|heute|morgen|Zeit|Nepalesische)$`,
);
/** What is read by programs: addresses, short ids, commands, and headings of the documents, which are in English. */
const FOR_PROGRAMS =
  /https?:\/\/\S+|[\w.+-]+@[\w.-]+|#?\u2068?\b[0-9a-f]{8}\b|#\u2068\w+|npm run [\w-]+|docs\/.*/g;

/** Returns the words of these texts that neither people wrote nor `Intl`. */
const english = (texts: readonly string[], written: ReadonlySet<string>, isTheirs: RegExp) => {
  const all = [...written];
  return texts.filter((text) =>
    // Of what is cut off, the last word has its beginning alone.
    (
      text
        .split(' @ ')[0]
        ?.replace(FOR_PROGRAMS, ' ')
        .match(/[\p{L}\p{M}]{2,}…?/gu) ?? []
    ).some((word) =>
      word.endsWith('…')
        ? !all.some((each) => each.startsWith(word.slice(0, -1)))
        : !isTheirs.test(word) && !written.has(word),
    ),
  );
};

/** Opens the first page of somebody who reads this language. */
async function openIn(language: 'de' | 'ur', viewer: (typeof viewers)[number]) {
  const person = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    allowedErrors: REFUSED,
  });
  if (viewer === 'consumer') await fillCart(person.page, fixture);
  if (viewer !== 'visitor')
    await market.call('PUT', '/users/profile', {
      as: fixture.sessions[viewer],
      body: { language },
    });
  // As a browser has it in which the language was chosen.
  await person.context.addCookies([{ name: 'language', value: language, url: market.url }]);
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

/** What is not in Latin letters, and what has no others. */
const LATIN = new RegExp(`\\P{Script=Latin}|^(${NAMES}|Farmgate)$`, 'u');

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
