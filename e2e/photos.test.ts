import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { afterAll, expect, it } from 'vitest';
import type { UploadedImage } from '#contract/platform/uploads/uploads';
import { until } from '../testing/until.ts';
import { openMarket, pictureOf } from './open-market.ts';
import { injectAxe, violations } from './page-list.ts';

// Photos as phones and cameras make them.

const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-photos-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const market = openMarket({ hasWorker: false });
const PHONE = { width: 360, height: 740, bypassCSP: true, reducedMotion: true };

const drawing = (width: number, height: number, background: string): Sharp =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false });

/** A photo that lies on its side, red above green once it is upright: 4:3 held upright, a file above the limit of 8 MB. */
async function heavyPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 0, sigma: 25 } as const;
  const grain = {
    create: { width: 4000, height: 3000, channels: 3, background: '#000', noise },
  } as const;
  const green = await drawing(2000, 3000, '#080').png().toBuffer();
  return drawing(4000, 3000, '#800')
    .composite([
      { input: green, left: 2000, top: 0 },
      { input: await sharp(grain).png().toBuffer(), blend: 'add' },
    ])
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

const file = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({
  name,
  mimeType,
  buffer,
});
type File = ReturnType<typeof file>;

const choose = (page: Page, ...files: File[]) =>
  page.locator('input[type=file]:not([capture])').setInputFiles(files);

/** Drops a file that the dialog doesn't offer. */
async function drop(page: Page, { name, buffer, mimeType }: File): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([base64, name, type]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name ?? '', { type: type ?? '' }));
      return transfer;
    },
    [buffer.toString('base64'), name, mimeType],
  );
  await page
    .locator('label', { hasText: 'drop them here' })
    .dispatchEvent('drop', { dataTransfer });
}

/** Uploads a file and returns what was sent and what is kept. */
async function sent(page: Page, chosen: File) {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith('/api/uploads')),
    choose(page, chosen),
  ]);
  const [image] = (await response.json()).data as [UploadedImage];
  const bytes = Number((await response.request().allHeaders())['content-length']);
  const kept = sharp(await (await fetch(market.url + image.url)).arrayBuffer());
  return { bytes, image, kept };
}

async function openForm(...[visit]: Parameters<typeof market.visit>) {
  const as = await market.createFarm('Camera Farm');
  const seller = await market.visit({ ...PHONE, ...visit, as });
  await seller.page.goto('/farmer/products/add');
  await seller.page
    .getByText(/^Upload up to 5 images\. JPEG.* Large photos are made smaller/)
    .waitFor();
  return seller;
}

it('makes photos as small as they are kept, upright, before they are sent', async () => {
  const { page } = await openForm();
  const heavy = file('heavy.jpg', await heavyPhoto());
  expect(heavy.buffer.length).toBeGreaterThan(8 * 1024 * 1024);
  const photo = await sent(page, heavy);
  expect(photo.bytes).toBeLessThan(1_000_000);
  expect(photo.image).toMatchObject({ width: 900, height: 1200 });
  const colourAt = async (top: number) => {
    const part = { left: 400, top, width: 100, height: 100 };
    // Statistics are of a whole picture.
    const { channels } = await sharp(await photo.kept.clone().extract(part).toBuffer()).stats();
    return (channels[0]?.mean ?? 0) > (channels[1]?.mean ?? 0) ? 'red' : 'green';
  };
  expect([await colourAt(100), await colourAt(1000)]).toEqual(['red', 'green']);

  // More than 30 megapixels, and a panorama.
  const huge = await drawing(7200, 5400, '#7a4').jpeg({ quality: 30 }).toBuffer();
  expect((await sent(page, file('huge.jpg', huge))).image).toMatchObject({
    width: 1200,
    height: 900,
  });
  const wide = await drawing(16_000, 2000, '#48c').jpeg().toBuffer();
  expect((await sent(page, file('wide.jpg', wide))).image).toMatchObject({
    width: 1200,
    height: 150,
  });

  const clear = await sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 4,
      background: { r: 200, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite([{ input: await drawing(800, 1200, '#800').png().toBuffer(), left: 0, top: 0 }])
    .png({ compressionLevel: 0 })
    .toBuffer();
  const transparent = await sent(page, file('clear.png', clear, 'image/png'));
  expect(transparent.bytes).toBeLessThan(500_000);
  const { channels } = await transparent.kept.stats();
  expect([channels[3]?.min, channels[3]?.max]).toEqual([0, 255]);
});

it('says what to do with what is no picture that it can read', async () => {
  const { page } = await openForm();
  const texts: [name: string, content: string, words: RegExp][] = [
    [
      'IMG_0001.HEIC',
      '\0\0\0\u0018ftypheic\0\0\0\0mif1heic',
      /^IMG_0001\.HEIC: HEIC pictures .*Most Compatible/,
    ],
    // By its content, whatever its name.
    ['cat.jpg', 'GIF89a\u0001\0\u0001\0', /^cat\.jpg: GIF pictures move.*as JPEG or PNG/],
    [
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      /Save it as PNG/,
    ],
    ['prices.pdf', '%PDF-1.7', /a screenshot/],
    ['cloud.jpg', '', /^cloud\.jpg: This file is empty.*open it on this device/],
    ['notes.txt', 'Buy milk', /^notes\.txt: Upload JPEG, PNG, WebP or AVIF/],
  ];
  for (const [name, content, words] of texts) {
    await drop(page, file(name, Buffer.from(content, 'latin1'), ''));
    await page.getByRole('alert').getByText(words).waitFor();
  }
  // The last one's alone.
  expect(await page.getByRole('alert').locator('p').count()).toBe(1);
});

it('waits for the connection, is stopped, and takes a file that is chosen twice once', async () => {
  const { page, context } = await openForm({
    allowedErrors: /ERR_INTERNET_DISCONNECTED|dynamically/,
  });
  // From the disk, so that it has one time of its last change.
  const green = path.join(folder, 'green.png');
  const purple = path.join(folder, 'purple.png');
  for (const [name, file] of [
    ['green', green],
    ['purple', purple],
  ] as const) {
    await writeFile(file, (await pictureOf(name)).buffer);
  }
  const input = page.locator('input[type=file]:not([capture])');
  await context.setOffline(true);
  await input.setInputFiles(green);
  const again = page.getByRole('button', { name: 'Try uploading green.png again' });
  await again.waitFor();
  await page.getByText("green.png: You're offline.").waitFor();
  await page.getByText('Not uploaded').waitFor();
  await again.click();
  await again.waitFor();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await input.setInputFiles([purple, green]);
  await page.getByRole('button', { name: 'Stop uploading purple.png' }).click();
  await context.setOffline(false);
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  await until(
    'the end of all',
    async () => (await page.getByRole('button', { name: /upload/ }).count()) === 0,
  );
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('img', { name: /^Picture \d$/ }).count()).toBe(1);
});

it('keeps a picture that the server has no time for, until it has', async () => {
  const { page } = await openForm({ allowedErrors: /status of 503/ });
  let isBusy = true;
  await page.route('**/api/uploads', (route) =>
    isBusy
      ? route.fulfill({
          status: 503,
          json: { success: false, message: 'Many at once.', code: 'BUSY' },
        })
      : route.continue(),
  );
  await choose(page, await pictureOf('green'));
  await page.getByText('green.png: Many at once.').waitFor();
  isBusy = false;
  await page.getByRole('button', { name: 'Try uploading green.png again' }).click();
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
});
