import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const packageOf = (name) => join(root, 'node_modules/@fontsource-variable', name);
/** The letters of the first file of each face, as the style sheet lists them. */
const LATIN = /url\("\.\/fonts\/inter\.woff2"\)[^}]*unicode-range:([^;]+);/;
/** What text is set with; the fonts also have alternates that nothing here asks for. */
const FEATURES = ['ccmp', 'kern', 'liga', 'lnum', 'locl', 'mark', 'mkmk', 'rlig', 'tnum'];

/**
 * The fonts that pages load, each a part of one in `node_modules`. Weights outside of what the style sheet uses are
 * left out; headings are all of one weight, which halves their font.
 */
const fonts = [
  { file: 'inter.woff2', of: ['inter', 'latin'], wght: { min: 400, max: 700 } },
  { file: 'fraunces.woff2', of: ['fraunces', 'latin'], wght: 580 },
  // The signs of currencies that the first file of Inter lacks; its second file has 85 kB.
  { file: 'currency.woff2', of: ['inter', 'latin-ext'], text: '₨' },
];

/** Returns the characters of a `unicode-range`. */
function charactersOf(range) {
  return range
    .split(',')
    .flatMap((part) => {
      const [first, last = first] = part
        .trim()
        .slice('U+'.length)
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .join('');
}

/**
 * `npm run web-fonts`: makes the fonts that pages load, as small as they can be, and puts them with their licences into
 * `web/platform/ui/fonts` or the given folder. Run it after an update of Inter or Fraunces.
 */
await run(async () => {
  const [folder = join(root, 'web/platform/ui/fonts')] = process.argv.slice(2);
  const [, range = ''] =
    LATIN.exec(readFileSync(join(root, 'web/platform/ui/fonts.css'), 'utf8')) ?? [];
  for (const { file, of, wght, text = charactersOf(range) } of fonts) {
    const [name, letters] = of;
    const whole = readFileSync(join(packageOf(name), `files/${name}-${letters}-wght-normal.woff2`));
    const font = await subsetFont(whole, text, {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      ...(wght && { variationAxes: { wght } }),
    });
    writeFileSync(join(folder, file), font);
  }
  for (const name of ['inter', 'fraunces']) {
    writeFileSync(join(folder, `LICENSE-${name}`), readFileSync(join(packageOf(name), 'LICENSE')));
  }
  return 0;
});
