import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Category } from '#contract/catalogue/categories/categories';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { Place } from '#contract/farm/places/places';
import { until } from '../testing/until.ts';
import { openMarket } from './open-market.ts';
import type { Session } from './people.ts';

const market = openMarket({ hasWorker: false });

const unique = (name: string) => `${name} ${randomUUID().slice(0, 6)}`;
const NEAR = { latitude: 33.72987, longitude: 73.03724 };
const FAR = { latitude: 31.5, longitude: 74.3 };

const placeIn = (city: string, over: Record<string, unknown> = {}) => ({
  name: `Stall of ${city}`,
  address: { street: '1 Main St', city, state: '', zipCode: '' },
  directions: 'Beside the fountain.',
  hours: WEEKDAYS.map((weekday) => ({
    weekday,
    from: '16:00',
    to: '18:00',
    slotMinutes: 60,
    capacity: null,
  })),
  ...over,
});

const addPlace = (farmer: Session, ...args: Parameters<typeof placeIn>) =>
  market.ask<Place>('POST', '/farm/places', { as: farmer, body: placeIn(...args) });

it('a farm lists its pickup places in public, live, and on the page as the server writes it', async () => {
  const town = unique('Ashdale');
  const farmer = await market.createFarm(unique('Hill'));
  const product = await market.createProduct(farmer, { name: unique('Leeks') });
  const first = await addPlace(farmer, town, { position: NEAR });
  await addPlace(farmer, 'Murree');
  const address = `/farmers/${farmer.user._id}`;

  const html = await (await fetch(`${market.url}${address}`)).text();
  expect(html).toContain(`Stall of ${town}`);
  const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(data).toContain('GeoCoordinates');

  const { page } = await market.visit();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(market.url)) foreign.push(request.url());
  });
  await page.goto(address);
  const places = page.getByRole('region', { name: 'Pickup places' });
  await places.getByRole('heading', { name: `Stall of ${town}` }).waitFor();
  expect(await places.getByRole('article').count()).toBe(0);
  const times = places.getByRole('list', { name: 'Next pickups' }).first().getByRole('listitem');
  expect(await times.count()).toBe(3);
  expect(await times.last().textContent()).toMatch(/4–6 pm$/i);
  const ways = places.getByRole('link', { name: /^Directions/ });
  const hrefs = await ways.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toContainEqual(expect.stringContaining('destination=33.72987%2C+73.03724'));
  await page.getByRole('link', { name: /^2 places, next: / }).click();
  await page.waitForURL('**#pickup-places');

  // A place that is renamed, paused and removed shows as it happens.
  const change = (body: Record<string, unknown>) =>
    market.call('PUT', `/farm/places/${first._id}`, { as: farmer, body });
  await change({ name: 'The red gate' });
  await places.getByRole('heading', { name: 'The red gate' }).waitFor();
  await change({ isActive: false });
  await places.getByRole('heading', { name: 'The red gate' }).waitFor({ state: 'detached' });
  expect(foreign).toEqual([]);

  // The goods of the farm are found by the town of its place, while it is offered.
  await change({ isActive: true });
  const finds = async () => {
    await page.goto(`/products?town=${encodeURIComponent(town.toUpperCase())}`);
    return page.getByRole('link', { name: product.name }).count();
  };
  expect(await finds()).toBe(1);
  await change({ isActive: false });
  await until('the town finds nothing', async () => (await finds()) === 0);
});

it('farms are sorted by where the reader is, in the browser alone', async () => {
  const names = [unique('Zz near'), unique('Aa far'), unique('Mm nowhere')] as const;
  const [near, far] = await Promise.all(names.map((name) => market.createFarm(name)));
  await addPlace(near as Session, 'Islamabad', { position: NEAR });
  const profile = { farmName: names[1], description: 'Soil.', position: FAR };
  await market.call('PUT', '/users/farmers/profile', { as: far as Session, body: profile });

  const visitor = await market.visit({ allowedErrors: /^$/ });
  const { page, context } = visitor;
  const order = async () => {
    const all = await page
      .getByRole('region', { name: 'Farmers found' })
      .getByRole('heading', { level: 3 })
      .allTextContents();
    return all.filter((name) => (names as readonly string[]).includes(name));
  };
  await page.goto('/farmers');
  expect(await order()).toEqual([names[1], names[2], names[0]]);

  const button = page.getByRole('button', { name: 'Nearest first' });
  await button.click();
  await page.getByText("Your browser doesn't say where you are.").waitFor();
  expect(await button.getAttribute('aria-pressed')).toBe('false');

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 33.68421, longitude: 73.04789 });
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  await button.click();
  await until(
    'the nearest first',
    async () => `${await order()}` === `${names[0]},${names[1]},${names[2]}`,
  );
  const card = page.getByRole('article').filter({ hasText: names[0] });
  expect(await card.textContent()).toMatch(/\d+ km · next pickup (today|tomorrow)/);
  expect(sent.filter((request) => /33[.,]6|33[.,]7|73[.,]0/.test(request))).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toMatch(/33\.7|latitude/);

  await button.click();
  await until(
    'by name again',
    async () => `${await order()}` === `${names[1]},${names[2]},${names[0]}`,
  );
});

it('a farm with many products has a search and kinds, which the address keeps', async () => {
  const farmer = await market.createFarm(unique('Large'));
  const [vegetables, fruit] = await market.ask<Category[]>('GET', '/categories');
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      market.createProduct(farmer, {
        name: index === 7 ? 'Crème Brûlée' : `Bean ${index}`,
        category: (index < 20 ? vegetables : fruit)?._id ?? '',
      }),
    ),
  );
  const { page } = await market.visit({ width: 412 });
  const address = `/farmers/${farmer.user._id}`;
  await page.goto(address);
  const section = page.getByRole('region', { name: 'Products', exact: true });
  const shown = () => section.getByRole('article').count();
  expect(await shown()).toBe(12);

  const kind = section.getByRole('button', { name: new RegExp(`^${fruit?.name}`) });
  await expect.poll(() => kind.textContent()).toContain('10');
  await kind.click();
  await until('the kind alone', async () => (await shown()) === 10);
  expect(new URL(page.url()).searchParams.get('category')).toBe(fruit?._id);

  // The way back from a product leads to the same.
  await section.getByRole('link', { name: 'Bean 25', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bean 25' }).waitFor();
  await page.goBack();
  await until('the kind again', async () => (await shown()) === 10);

  await section.getByRole('button', { name: 'All Categories' }).click();
  await section.getByRole('searchbox').fill('creme brulee');
  await until('what is searched for', async () => (await shown()) === 1);
  expect(new URL(page.url()).search).toBe('?search=creme+brulee');
  // The server writes the same.
  const html = await (await fetch(page.url())).text();
  expect(html).toContain('Crème Brûlée');
  expect(html).not.toContain('Bean 25');

  await section.getByRole('searchbox').fill('nothing like it');
  await section.getByText('No Products Found').waitFor();
  await section.getByRole('button', { name: 'Show all products' }).click();
  await until('all again', async () => (await shown()) === 12);
  await section.getByRole('button', { name: 'Show all products' }).click();
  await until('more', async () => (await shown()) > 12);
  await section.getByRole('link', { name: 'Bean 29', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bean 29' }).waitFor();
  await page.goBack();
  await until('still all', async () => (await shown()) > 12);
});
