/// <reference lib="dom" />
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ensureChromium } from './lib/browsers.mjs';
import { UserError } from './lib/output.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const PAPER = '#faf6ec';
const PICTURE_MAX_BYTES = 60_000;
const PASSWORD = 'password123';
/** Generous, because the machine may have other things to do. */
const TIMEOUT_MS = 120_000;

/** The icons, with the share of the square that the drawing takes: systems cut maskable ones to their shapes. */
const ICONS = [
  { name: 'icon-192', size: 192, share: 0.8 },
  { name: 'icon-512', size: 512, share: 0.8 },
  { name: 'maskable-512', size: 512, share: 0.6 },
  { name: 'apple-touch-icon', size: 180, share: 0.7 },
];
const SCREENS = [
  { name: 'market', path: '/products' },
  { name: 'farm-orders', path: '/farmer/orders', email: 'farmer@farmgate.test' },
  { name: 'admin-orders', path: '/admin/orders', email: 'admin@farmgate.test' },
];
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } };

/**
 * `npm run app-pictures -- http://localhost:3000`: makes the icons and screenshots that the manifests name from the
 * drawing of the icon and from the demo market at this address. Run it after a change of what they show.
 */
await run(async () => {
  const [address] = process.argv.slice(2);
  if (!address)
    throw new UserError(
      'Name the address of a demo market: npm run app-pictures -- http://localhost:3000',
    );
  await makeIcons(join(root, 'web/public/icons'));
  await makeScreenshots(address, join(root, 'web/public/screenshots'));
  return 0;
});

async function makeIcons(folder) {
  mkdirSync(folder, { recursive: true });
  const drawing = readFileSync(join(root, 'web/public/favicon.svg'));
  for (const { name, size, share } of ICONS) {
    const inner = Math.round(size * share);
    const picture = await sharp(drawing, { density: 600 }).resize(inner, inner).png().toBuffer();
    await sharp({ create: { width: size, height: size, channels: 4, background: PAPER } })
      .composite([{ input: picture }])
      .png({ compressionLevel: 9, palette: true })
      .toFile(join(folder, `${name}.png`));
  }
}

async function makeScreenshots(address, folder) {
  mkdirSync(folder, { recursive: true });
  const paths = await ensureChromium();
  const browser = await chromium.launch({
    executablePath:
      'CHROMIUM_HEADLESS_PATH' in paths ? paths.CHROMIUM_HEADLESS_PATH : paths.CHROMIUM_PATH,
    args: ['--no-sandbox'],
  });
  try {
    for (const { name, path, email } of SCREENS) {
      const session = email && (await signIn(address, email));
      for (const [form, viewport] of Object.entries(SIZES)) {
        const picture = await screenshot(browser, {
          url: new URL(path, address).href,
          viewport,
          session,
        });
        writeFileSync(join(folder, `${name}-${form}.webp`), await compressed(picture));
      }
    }
  } finally {
    await browser.close();
  }
}

async function screenshot(browser, { url, viewport, session }) {
  const context = await browser.newContext({
    viewport,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  if (session) {
    await context.addInitScript(({ token, user }) => {
      localStorage.setItem('token', token);
      localStorage.setItem('user', JSON.stringify(user));
    }, session);
  }
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Skeletons are busy; pictures come last.
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

/** Returns the picture as WebP that is as good as the limit allows. */
async function compressed(picture) {
  for (let quality = 85; quality >= 40; quality -= 5) {
    const small = await sharp(picture).webp({ quality, effort: 6 }).toBuffer();
    if (small.length <= PICTURE_MAX_BYTES) return small;
  }
  throw new UserError(`A screenshot does not fit into ${PICTURE_MAX_BYTES} bytes.`);
}

async function signIn(address, email) {
  const response = await fetch(new URL('/api/auth/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok)
    throw new UserError(`Signing in as ${email} failed with status ${response.status}.`);
  return response.json();
}
