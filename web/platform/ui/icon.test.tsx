import path from 'node:path';
import { type ComponentProps, type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createIcon } from './icon.ts';

const FOLDER = path.resolve('node_modules/lucide-react/dist/esm/icons');

/** An icon's file: what lucide makes of it, and what it is made of. */
interface IconFile {
  default: ComponentType<ComponentProps<'svg'>>;
  __iconData: Parameters<typeof createIcon>[0];
}

it.each(['x', 'store', 'rotate-ccw-clock', 'circle-check', 'map-pin'])(
  'draws %s as lucide does',
  async (name) => {
    const file: IconFile = await import(/* @vite-ignore */ `${FOLDER}/${name}.mjs`);
    const Ours = createIcon(file.__iconData);
    const props: ComponentProps<'svg'>[] = [
      {},
      { className: 'size-4 text-ink' },
      { 'aria-hidden': true },
      { 'aria-label': 'Close', role: 'img' },
      { 'aria-label': undefined, strokeWidth: 3 },
      { children: createElement('title', null, 'Close') },
    ];
    for (const each of props) {
      const written = (Icon: IconFile['default']) =>
        [...renderToStaticMarkup(<Icon {...each} />).matchAll(/<\/?\w+|[\w-]+="[^"]*"|>[^<]+/g)]
          .map(([part]) => part)
          .sort();
      expect(written(Ours)).toEqual(written(file.default));
    }
  },
);
