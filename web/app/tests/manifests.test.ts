// @vitest-environment happy-dom
import { readFileSync, statSync } from 'node:fs';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Role } from '#contract/platform/http/http';
import { guardTarget } from '../guards.ts';
import { routes } from '../routes.tsx';

type Picture = { src: string; sizes: string; type: string };
type Manifest = {
  id: string;
  start_url: string;
  icons: (Picture & { purpose: string })[];
  shortcuts: { name: string; url: string; icons: Picture[] }[];
  screenshots: (Picture & { form_factor: string })[];
};

const FOLDER = 'web/public';
const SCREENSHOT_MAX_BYTES = 60_000;

const manifests: [Role, string][] = [
  ['consumer', 'manifest.webmanifest'],
  ['farmer', 'manifest-farmer.webmanifest'],
  ['admin', 'manifest-admin.webmanifest'],
];
const read = (file: string): Manifest => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));

it.each(manifests)('leads a %s to pages that are theirs', (role, file) => {
  const { start_url: start, shortcuts } = read(file);
  const guards = new Map(routes.map(({ path, guard }) => [path, guard]));
  for (const address of [start, ...shortcuts.map(({ url }) => url)]) {
    const guard = guards.get(address);
    expect(guard, address).toBeDefined();
    expect(guard && guardTarget(guard, role), address).toBeNull();
  }
});

it.each(manifests)(
  'names pictures for a %s that are there, in their true sizes',
  async (_, file) => {
    const { icons, shortcuts, screenshots } = read(file);
    const pictures = [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons), ...screenshots];
    for (const { src, sizes, type } of pictures.filter(({ sizes }) => sizes !== 'any')) {
      const { width, height, format } = await sharp(`${FOLDER}${src}`).metadata();
      expect(`${width}x${height}`, src).toBe(sizes);
      expect(`image/${format}`, src).toBe(type);
    }
    expect(screenshots.map((each) => each.form_factor).sort()).toEqual(['narrow', 'wide']);
    for (const { src } of screenshots) {
      expect(statSync(`${FOLDER}${src}`).size, src).toBeLessThanOrEqual(SCREENSHOT_MAX_BYTES);
    }
    expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
  },
);

it('is one application, no matter who installs it', () => {
  expect(new Set(manifests.map(([, file]) => read(file).id))).toEqual(new Set(['/']));
});
