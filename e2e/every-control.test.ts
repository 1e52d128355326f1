import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { openMarket, REFUSED } from './open-market.ts';
import {
  fillCart,
  follow,
  openPageFixture,
  type PageFixture,
  pages,
  type Viewer,
  viewers,
  waitUntilStill,
} from './page-list.ts';
import { ACCOUNTS, type Session, signIn } from './people.ts';

const market = openMarket();
let fixture: PageFixture;
/** A consumer whom a farm asks about an order, so that its question is pinned to every page. */
let asked: Session;
let otherOrder: string;
beforeAll(async () => {
  fixture = await openPageFixture(market);
  asked = await signIn(market.url, ACCOUNTS.consumer2);
  const data = await market.ask<Order[]>('GET', '/orders/consumer', { as: asked });
  // Not on the page of the order that it is about.
  otherOrder = data.find(({ openChange }) => !openChange)?._id ?? '';
});

/** Width and height of windows: phones, a tablet, laptops. Consumers, with most that floats, see all of them. */
const WINDOWS = [
  [320, 568],
  [360, 640],
  [412, 915],
  [768, 1024],
  [1024, 768],
  [1280, 800],
] as const;
const windowsOf = (viewer: Viewer) =>
  viewer === 'consumer' ? WINDOWS : WINDOWS.filter(([width]) => width === 320 || width === 1280);

/** Returns each control whose middle belongs to something else, wherever the page is scrolled. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=radio]';
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;
    const isSame = (control: Element, hit: Element) =>
      control.contains(hit) ||
      hit.contains(control) ||
      [...((control as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit));
    const covered: string[] = [];
    for (const control of document.querySelectorAll(CONTROLS)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]'))
        continue;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // The first line of a link that wraps; of a link that stretches over a card, its words.
      const [box] = control.getClientRects();
      if (!box || box.width < 2 || box.height < 2) continue;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      // What comes into view with the focus alone.
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = document.elementFromPoint(x, y);
      if (hit && !isSame(control, hit)) covered.push(`${nameOf(control)} is below ${nameOf(hit)}`);
    }
    scrollTo({ top: 0, behavior: 'instant' });
    return covered;
  });

/**
 * Returns the text that React holds as a node of its own. A browser that translates the page puts another one in its
 * place, and React goes on with the one that nobody sees.
 */
const looseTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const loose: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const isHeld = Object.keys(text).some((key) => key.startsWith('__reactFiber$'));
      if (isHeld && text.data.trim() !== '') {
        loose.push(`"${text.data.slice(0, 40)}" in ${text.parentElement?.outerHTML.slice(0, 120)}`);
      }
    }
    return loose;
  });

it.each(viewers)(
  'lets a %s reach every control of every page, and leaves no text loose',
  async (viewer) => {
    const session =
      viewer === 'consumer' ? asked : viewer !== 'visitor' && fixture.sessions[viewer];
    const { page } = await market.visit({
      ...(session && { as: session }),
      allowedErrors: REFUSED,
    });
    if (viewer === 'consumer') await fillCart(page, fixture);
    else await page.goto(fixture.addressOf(pages[viewer][0]?.[0] ?? '/'));
    const question = page.getByRole('complementary', { name: 'Questions about your orders' });
    const wrong: string[] = [];
    for (const [path] of pages[viewer]) {
      const isOrder = viewer === 'consumer' && path === '/orders/:order';
      await follow(page, isOrder ? `/orders/${otherOrder}` : fixture.addressOf(path));
      wrong.push(...(await looseTexts(page)).map((text) => `${path}: ${text}`));
      for (const [width, height] of windowsOf(viewer)) {
        await page.setViewportSize({ width, height });
        await waitUntilStill(page);
        if (viewer === 'consumer') await question.waitFor();
        wrong.push(
          ...(await coveredControls(page)).map((what) => `${path} at ${width} px: ${what}`),
        );
      }
    }
    expect(wrong).toEqual([]);
  },
);

it('stacks the question of a farm, the bar of a product and a toast on a phone', async () => {
  const { page } = await market.visit({ as: asked, width: 360, height: 640 });
  await page.goto(fixture.addressOf('/products/:product'));
  const question = page.getByRole('complementary', { name: 'Questions about your orders' });
  await question.waitFor();
  const add = page.locator('.pinned').getByRole('button', { name: 'Add to Cart' });
  // It is pressed where it is, above the question.
  await add.click();
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'to your cart' });
  await toast.waitFor();
  await waitUntilStill(page);
  const boxes = await Promise.all(
    [toast, add, question.locator('> *'), page.locator('[data-bottom-bar]').first()].map((each) =>
      each.boundingBox(),
    ),
  );
  const edges = boxes.map((box) => ({
    top: box?.y ?? 0,
    bottom: (box?.y ?? 0) + (box?.height ?? 0),
  }));
  for (const [index, { bottom }] of edges.slice(0, -1).entries()) {
    expect(bottom).toBeLessThanOrEqual(edges[index + 1]?.top ?? 0);
  }
});

/** Puts every text of the page into an element, now and whenever one comes, as a browser does that translates. */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const wrap = (text: Text) => {
      const parent = text.parentElement;
      if (text.data.trim() === '' || !parent || parent.closest('font, script, style, textarea'))
        return;
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(document.createTextNode(text.data));
    };
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(wrap);
    };
    translateAll(document.body);
    new MutationObserver((changes) => {
      for (const { target } of changes) translateAll(target);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });

it('sells, answers and counts stock down on pages that the browser translates', async () => {
  // Its days are offered at once.
  const { farmer } = fixture.sessions;
  const leeks = await market.createProduct(farmer, {
    name: 'Translated leeks',
    quantityAvailable: 3,
  });
  const consumer = await market.visit({ as: 'consumer' });
  const seller = await market.visit({ as: farmer });
  const watcher = await market.visit();
  for (const { page } of [consumer, watcher]) {
    await page.goto(`/products/${leeks._id}`);
    await translate(page);
  }

  await consumer.page.getByRole('spinbutton', { name: 'Quantity' }).fill('3');
  await consumer.page.getByRole('button', { name: 'Add to Cart' }).click();
  await consumer.page.getByRole('link', { name: /^Cart/ }).first().click();
  await consumer.page
    .getByRole('group', { name: 'Next pickup days' })
    .getByRole('radio')
    .nth(1)
    .check({ force: true });
  await consumer.page.getByLabel('Pickup time').fill('10:30');
  await consumer.page.getByRole('button', { name: 'Place Order' }).click();
  await consumer.page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await consumer.page.getByText('Pending').first().waitFor();
  // The visitor's page follows without being loaded again.
  await watcher.page.getByText('Sold out').first().waitFor();
  await expect.poll(() => watcher.page.getByText(/Only 3/).count()).toBe(0);

  await seller.page.goto(new URL(consumer.page.url()).pathname);
  await translate(seller.page);
  await seller.page
    .getByRole('button', { name: /^Accept/ })
    .locator('visible=true')
    .first()
    .click();
  await consumer.page.getByText('Accepted').first().waitFor();
  await expect.poll(() => consumer.page.getByText('Pending', { exact: true }).count()).toBe(0);
  for (const { pageErrors } of [consumer, seller, watcher]) expect(pageErrors).toEqual([]);
});
