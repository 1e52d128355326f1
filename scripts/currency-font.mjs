import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const INTER = join(root, 'node_modules/@fontsource-variable/inter');
/** The signs of currencies that the first file of Inter lacks; its second file has 85 kB. */
const CURRENCY_SIGNS = '₨';

/**
 * `npm run currency-font`: makes the font of currency signs from the Inter that the client is set in, so that
 * both match in all weights, and puts it with its licence into `web/ui/fonts` or the given folder. Run it
 * after an update of Inter.
 */
await run(async () => {
  const [folder = join(root, 'web/ui/fonts')] = process.argv.slice(2);
  const inter = readFileSync(join(INTER, 'files/inter-latin-ext-wght-normal.woff2'));
  const font = await subsetFont(inter, CURRENCY_SIGNS, { targetFormat: 'woff2' });
  writeFileSync(join(folder, 'currency.woff2'), font);
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(INTER, 'LICENSE')));
  return 0;
});
