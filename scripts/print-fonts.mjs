import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const INTER = join(root, 'node_modules/@fontsource-variable/inter');
const WEIGHTS = { regular: 400, bold: 650 };
/** The scripts of names and goods, each in a file of its own. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'];

/** Returns the characters of ranges such as `U+0000-00FF,U+0131`. */
const charactersOf = (ranges) =>
  ranges
    .split(',')
    .flatMap((range) => {
      const [from, to = from] = range.slice('U+'.length).split('-');
      const first = Number.parseInt(from, 16);
      const count = Number.parseInt(to, 16) - first + 1;
      return Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');

/**
 * `npm run print-fonts`: makes the fonts of pick lists and labels as PDF from the Inter that the client is set in, each
 * weight by itself, because PDFs take no variable fonts; puts them with their licence into
 * `server/ordering/picklist/fonts` or the given folder. Run it after an update of Inter.
 */
await run(async () => {
  const [folder = join(root, 'server/ordering/picklist/fonts')] = process.argv.slice(2);
  const ranges = JSON.parse(readFileSync(join(INTER, 'unicode.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const script of SCRIPTS) {
    const inter = readFileSync(join(INTER, `files/inter-${script}-wght-normal.woff2`));
    for (const [name, wght] of Object.entries(WEIGHTS)) {
      const font = await subsetFont(inter, charactersOf(ranges[script]), {
        targetFormat: 'truetype',
        variationAxes: { wght },
        noLayoutClosure: true,
      });
      writeFileSync(join(folder, `${script}-${name}.ttf`), font);
    }
  }
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(INTER, 'LICENSE')));
  return 0;
});
