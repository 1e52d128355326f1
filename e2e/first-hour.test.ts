import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Place } from '#contract/farm/places/places';
import { openMarket } from './open-market.ts';
import { PASSWORD, type Session } from './people.ts';

// A farm's first hour, counted: from the dashboard of a farm that has just registered to one that is open, with hours,
// a place with slots and three products.

const market = openMarket({ hasWorker: false });
const ACTS_MAX = 35;

/** Does what a person does on a page, and counts it: an act is a tap, or a field that is filled. */
function handsOn(page: Page) {
  const main = page.getByRole('main');
  let acts = 0;
  return {
    count: () => acts,
    tap: async (name: string | RegExp, role: 'button' | 'link' | 'tab' | 'menuitem' = 'button') => {
      acts++;
      // Menus stand beside the page, and the rail before it.
      const within = role === 'menuitem' || role === 'link' ? page : main;
      await within.getByRole(role, { name }).first().click();
    },
    /** Saves the form that has this field. */
    save: async (name: string) => {
      acts++;
      const form = main.locator('form', { has: page.locator(`[name="${name}"]`) });
      await form.getByRole('button', { name: /^Save/ }).click();
    },
    /** Fills the field that is called so in its form, or chooses in it. */
    fill: async (name: string, value: string) => {
      acts++;
      await main.locator(`[name="${name}"]`).first().fill(value);
    },
    choose: async (name: string, index: number) => {
      acts++;
      await main.locator(`[name="${name}"]`).selectOption({ index });
    },
    tick: async (name: string) => {
      acts++;
      await main.locator(`[name="${name}"]`).check();
    },
  };
}

/** Registers a farmer who has said no more than they are asked for then. */
const register = (): Promise<Session> =>
  market.call('POST', '/auth/register', {
    body: {
      ...{ name: 'Finn Grower', role: 'farmer', phone: '030 555 0100', password: PASSWORD },
      email: `${randomUUID()}@example.org`,
    },
  });

it(`opens a farm with hours, a place with slots and three products in ${ACTS_MAX} acts`, async () => {
  const as = await register();
  const { page } = await market.visit({ as, width: 412, height: 900 });
  await page.goto('/farmer/dashboard');
  const steps = page.getByRole('region', { name: 'Before you open' });
  await steps.getByText('Add a pickup place').waitFor();
  // A new farm sees what to do, and no figures.
  expect(await page.getByText('Total revenue').count()).toBe(0);

  const { tap, save, fill, choose, tick, count } = handsOn(page);
  await tap('Describe your farm', 'link');
  await fill('farmName', 'Green Valley');
  await fill('description', 'Vegetables from the hill.');
  await save('farmName');
  await page.getByText('Farm profile updated successfully!').first().waitFor();
  await fill('address.city', 'Putney');
  await save('address.city');
  await page.getByText('Profile updated successfully!').first().waitFor();

  await tap('Days', 'tab');
  await tick('hours.monday');
  await tap('Copy the hours of Monday');
  await tap('To every day', 'menuitem');
  await save('hours.monday');
  await page.getByText('Farm profile updated successfully!').last().waitFor();

  await tap('Places', 'tab');
  await tap('Add a place');
  await fill('address.street', '1 Mill Lane');
  await tap('Save place');
  await page.getByRole('heading', { name: 'Farm gate' }).waitFor();

  await tap('Products', 'link');
  await tap(/^Add (a |your first )?product/, 'link');
  for (const [index, name] of ['Beets', 'Carrots', 'Kale'].entries()) {
    await fill('name', name);
    await fill('description', 'Picked in the morning.');
    // The next one is of the same kind, until one says another.
    if (index === 0) await choose('category', 1);
    await fill('price', '2.50');
    await fill('quantityAvailable', '20');
    if (index < 2) {
      await tap('Add and start another');
      await expect.poll(() => page.locator('main [name="name"]').inputValue()).toBe('');
    } else await tap('Add product');
  }
  await page.waitForURL('**/farmer/products');
  await tap('Dashboard', 'link');

  const open = page.getByRole('region', { name: 'Green Valley is open' });
  await open.getByRole('link', { name: 'See your page' }).waitFor();
  await open.getByRole('button', { name: 'Copy the link' }).waitFor();
  expect(count()).toBeLessThanOrEqual(ACTS_MAX);

  const products = await market.ask<Product[]>('GET', '/products/farmer/me', { as });
  expect(products.map(({ name }) => name).sort()).toEqual(['Beets', 'Carrots', 'Kale']);
  const [place] = await market.ask<Place[]>('GET', '/farm/places', { as });
  expect(place?.hours).toHaveLength(7);
  const poster = page.waitForEvent('download');
  await open.getByRole('button', { name: 'Print the poster' }).click();
  expect((await poster).suggestedFilename()).toBe('poster.pdf');

  // It says so until the first order, and what is missing beside it until that is there or set aside.
  await open.getByRole('button', { name: 'Not needed: Invite who works with you' }).click();
  await open.getByText('Invite who works with you').waitFor({ state: 'hidden' });
  await open.getByRole('link', { name: 'Say how customers pay you' }).waitFor();
});

it('lets somebody join a farm by the link that its owner shows, and its people see it as customers do', async () => {
  const as = await market.createFarm('Link Farm');
  const owner = await market.visit({ as });
  await owner.page.goto('/farmer/settings?section=people');
  await owner.page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const url = await dialog.getByLabel('Invitation link').inputValue();
  await dialog.locator('svg[viewBox]').first().waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await owner.page.getByText('Whoever has the link').waitFor();

  const { page } = await market.visit({ width: 360, height: 740 });
  await page.goto(url);
  await page.getByLabel('Name').fill('Nora Packer');
  await page.getByLabel('Email').fill(`${randomUUID()}@example.org`);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL('**/farmer/dashboard');
  await owner.page.getByText('Nora Packer').first().waitFor();

  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'View as customer' }).click();
  await page.getByRole('heading', { name: 'Link Farm', level: 1 }).waitFor();
});
