import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { CreateProduct } from '#contract/catalogue/products/product-fields';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { UpdateFarmProfile } from '#contract/farm/farmers/farmers';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import {
  ACCOUNTS,
  openPerson,
  PASSWORD,
  type Person,
  type Session,
  sharedBrowser,
  signIn,
} from './people.ts';
import { printOutput, type Stack, startStack } from './stack.ts';

type Visit = Parameters<typeof openPerson>[2] & {
  /** Allowed console errors; the browser logs each refused request there. */
  allowedErrors?: RegExp;
};

/** What browsers log for a 4xx response. */
export const REFUSED = /status of 4\d\d/;

/**
 * Starts the demo market for all tests of a file. After each test the visitors' contexts are
 * closed, and errors that their pages logged or threw fail the test. A worker is there unless `hasWorker` is
 * false, for tests that wait for no notification, mail or timer.
 */
export function openMarket({
  hasWorker = true,
  rings = false,
  env = {},
  build,
}: {
  hasWorker?: boolean;
  /** As for `startStack`. */
  rings?: boolean;
  env?: Record<string, string>;
  /** Builds another release than the one of `npm run build`. @returns the folder of its programs */
  build?: () => Promise<string>;
} = {}) {
  let stack: Stack;
  let browser: Browser;
  const visits: { person: Person; allowedErrors: RegExp | undefined }[] = [];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      (async () => {
        const programs = await build?.();
        return startStack({
          workers: hasWorker ? 1 : 0,
          rings,
          env,
          ...(programs && { programs }),
        });
      })(),
      sharedBrowser(),
    ]);
  });
  afterEach(async ({ task }) => {
    const ended = visits.splice(0);
    await Promise.all(ended.map(({ person }) => person.context.close()));
    const errors = ended.flatMap(({ person, allowedErrors }) =>
      person.pageErrors.filter((words) => !allowedErrors?.test(words)),
    );
    if (task.result?.state === 'fail' || errors.length > 0) printOutput(stack);
    expect(errors).toEqual([]);
  });
  afterAll(() => stack?.close());

  /** Opens a browser context, signed in with `as`. */
  async function visit({ allowedErrors, ...options }: Visit = {}): Promise<Person> {
    const person = await openPerson(browser, stack.url, options);
    visits.push({ person, allowedErrors });
    return person;
  }

  /** Calls the API. @throws with the response when it refuses */
  async function call<Answer>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { as, body }: { as?: Session; body?: unknown } = {},
  ): Promise<Answer> {
    const response = await fetch(`${stack.url}/api${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer as Answer;
  }

  /** Calls the API. @returns the data of the answer. @throws with the response when it refuses */
  const ask = async <Data>(...args: Parameters<typeof call>): Promise<Data> =>
    (await call<{ data: Data }>(...args)).data;

  /** Waits for a mail to this address that has `holding` in it. @returns its text, decoded */
  const mailTo = (address: string, holding = ''): Promise<string> =>
    until('the email', async () => {
      const folder = path.join(stack.folder, 'mail');
      const files = await readdir(folder).catch(() => [] as string[]);
      const mails = await Promise.all(
        files
          // One that is being written has another name.
          .filter((name) => name.endsWith('.eml'))
          .map((name) => readFile(path.join(folder, name), 'utf8')),
      );
      // Long lines of an email are folded by `=` at their end.
      return mails
        .filter((text) => text.includes(address))
        .map((text) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
        .find((text) => text.includes(holding));
    });

  /** Makes the market ask for verified emails. */
  async function requireVerifiedEmail(): Promise<void> {
    const as = await signIn(stack.url, ACCOUNTS.admin);
    await call('PUT', '/market', { as, body: { requiresVerifiedEmail: true } });
  }

  /** Registers an account with this name. */
  const register = (role: 'consumer' | 'farmer', name: string): Promise<Session> =>
    call('POST', '/auth/register', {
      body: {
        name,
        email: `${randomUUID()}@example.org`,
        password: PASSWORD,
        role,
        phone: '(802) 555-0100',
        address: { street: '1 Mill Lane', city: 'Putney', state: 'VT', zipCode: '05346' },
      },
    });

  /** Opens the link by which somebody proves their email. */
  async function prove({ user }: Session): Promise<void> {
    const [, token] =
      /verify-email\?token=([\w-]+)/.exec(await mailTo(user.email, 'verify-email')) ?? [];
    await call('POST', '/auth/verify-email', { body: { token } });
  }

  /** Creates a farm with pickup and delivery. */
  async function createFarm(farmName: string): Promise<Session> {
    const farmer = await register('farmer', `Owner of ${farmName}`);
    const profile: UpdateFarmProfile = {
      farmName,
      description: 'Vegetables from the hill.',
      acceptsPickup: true,
      acceptsDelivery: true,
    };
    await call('PUT', '/users/farmers/profile', { as: farmer, body: profile });
    return farmer;
  }

  /** Uploads pictures with these colours. @returns their URLs */
  async function upload(farmer: Session, ...colours: string[]): Promise<string[]> {
    const form = new FormData();
    for (const { name, mimeType, buffer } of await Promise.all(colours.map(pictureOf))) {
      form.append('images', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
    }
    const response = await fetch(`${stack.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${farmer.token}` },
      body: form,
    });
    const { data } = (await response.json()) as { data: { url: string }[] };
    return data.map(({ url }) => url);
  }

  /** Creates a product. */
  async function createProduct(farmer: Session, product: Partial<CreateProduct>): Promise<Product> {
    const [category] = (await call<{ data: { _id: string }[] }>('GET', '/categories')).data;
    const body = {
      name: 'Carrots',
      description: 'Pulled this morning.',
      category: category?._id,
      price: 4.5,
      unit: 'lb',
      quantityAvailable: 20,
      ...product,
    };
    return ask<Product>('POST', '/products', { as: farmer, body });
  }

  /** Places an order for pickup at the farm in a week. */
  async function placeOrder(consumer: Session, product: Product, quantity = 1): Promise<Order> {
    const body = {
      farmer: product.farmer._id,
      items: [{ product: product._id, quantity, price: product.price }],
      pickupDetails: { date: dayFromNow(7), time: '10:30', location: farmNameOf(product.farmer) },
    };
    return ask<Order>('POST', '/orders', { as: consumer, body });
  }

  return {
    get url() {
      return stack.url;
    },
    get databaseUrl() {
      return stack.databaseUrl;
    },
    visit,
    call,
    ask,
    mailTo,
    requireVerifiedEmail,
    register,
    prove,
    createFarm,
    upload,
    createProduct,
    placeOrder,
  };
}

/** Returns a picture file of one colour. */
export async function pictureOf(background: string) {
  const picture = sharp({ create: { width: 60, height: 60, channels: 3, background } });
  return {
    name: `${background}.png`,
    mimeType: 'image/png',
    buffer: await picture.png().toBuffer(),
  };
}

/** Returns the date in so many days, `YYYY-MM-DD`. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The toast with this text. */
export const toastOf = ({ page }: Person, words: string | RegExp) =>
  page.locator('[data-sonner-toast]').filter({ hasText: words }).first();

/** The shortId order id that the screens show. */
export const shortId = ({ _id }: { _id: string }): string => _id.slice(0, 8);
