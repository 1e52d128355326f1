import { existsSync } from 'node:fs';
import { Refusal, say } from './output.mjs';
import { findOnPath } from './processes.mjs';
import { canInstall, installPackage } from './system-packages.mjs';

const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const findChromium = () =>
  findOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  (existsSync(MAC) ? MAC : null);

/** Debian's name for it, of the package and of the program. */
const HEADLESS = 'chromium-headless-shell';

/**
 * The browsers for the browser tests, as settings of their environment: a whole Chromium, and, where
 * there is one, Chromium without all that nobody sees, which does most of the work in less time.
 * Installed where there is none and nobody need be asked. Throws a `Refusal` when there is none to be had.
 */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return { CHROMIUM_PATH: given };
    throw new Refusal(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  if (findChromium() === null && canInstall()) {
    say('The browser tests need Chromium, and this machine has none.');
    await installPackage('chromium');
    // The lighter one is not to be had everywhere, and the tests run without it.
    await installPackage(HEADLESS).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }
  const found = findChromium();
  if (found === null) {
    throw new Refusal(
      'The browser tests need Chromium, and this machine has none: install chromium or Google Chrome, ' +
        'or set CHROMIUM_PATH to one.',
    );
  }
  const headless = findOnPath(HEADLESS);
  return { CHROMIUM_PATH: found, ...(headless && { CHROMIUM_HEADLESS_PATH: headless }) };
}
