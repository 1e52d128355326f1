import { existsSync } from 'node:fs';
import { print, UserError } from './output.mjs';
import { findOnPath } from './processes.mjs';
import { canInstall, installPackage } from './system-packages.mjs';

const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const findChromium = () =>
  findOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  (existsSync(MAC) ? MAC : null);

/** Debian's name for the headless build: both the package and the program. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/**
 * Returns the environment variables that name the browsers for the browser tests: Chromium, and the headless
 * build, which is faster, where there is one. Installs them if possible without a password. Throws a
 * `UserError` when there is no browser.
 */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return { CHROMIUM_PATH: given };
    throw new UserError(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  if (findChromium() === null && canInstall()) {
    print('The browser tests need Chromium, which is not installed.');
    await installPackage('chromium');
    // Not every release has the headless build, and the tests run without it.
    await installPackage(HEADLESS_SHELL).catch((error) => {
      if (!(error instanceof UserError)) throw error;
    });
  }
  const found = findChromium();
  if (found === null) {
    throw new UserError(
      'The browser tests need Chromium, which is not installed: install chromium or Google Chrome, or set ' +
        'CHROMIUM_PATH.',
    );
  }
  const headless = findOnPath(HEADLESS_SHELL);
  return { CHROMIUM_PATH: found, ...(headless && { CHROMIUM_HEADLESS_PATH: headless }) };
}

/** What the tests of other browsers need: by variable, the program and Debian's package of it. */
const OTHERS = {
  FIREFOX_PATH: ['firefox-esr', 'firefox-esr'],
  WEBKIT_DRIVER_PATH: ['WebKitWebDriver', 'webkit2gtk-driver'],
  // WebKit has no headless form, so it gets a screen of its own.
  XVFB_PATH: ['Xvfb', 'xvfb'],
};

/**
 * Returns the environment variables that name Firefox, WebKit's driver and its screen. Installs what is missing, where
 * that takes no password. Throws a `UserError` that names the packages that are missing.
 */
export async function ensureOtherBrowsers() {
  const missing = () => Object.values(OTHERS).filter(([program]) => findOnPath(program) === null);
  if (canInstall()) for (const [, name] of missing()) await installPackage(name);
  const packages = missing().map(([, name]) => name);
  if (packages.length > 0) {
    throw new UserError(
      `The tests in Firefox and WebKit need more packages: apt-get install ${packages.join(' ')}`,
    );
  }
  return Object.fromEntries(
    Object.entries(OTHERS).map(([variable, [program]]) => [variable, findOnPath(program)]),
  );
}
