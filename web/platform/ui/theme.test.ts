import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./colors.css', import.meta.url), 'utf8');

/** Every colour of the theme with its light and dark value. */
const colors = new Map(
  [...css.matchAll(/--(?:color-)?([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

/** Returns the relative luminance of a colour (WCAG 2), 0 to 1. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ['leaf', 'tomato', 'straw', 'plum', 'sky', 'clay'].map((name) => `ground-${name}`);
const papers = ['paper', 'surface', 'sunken', 'raised'];
const tones = ['leaf', 'tomato', 'straw', 'orange', 'sky'];

const texts: [text: string, ground: string][] = [
  ...[...papers, ...grounds, 'scene-sky', 'scene-haze'].map((ground): [string, string] => [
    'ink',
    ground,
  ]),
  ...[...papers, ...grounds, 'leaf-soft'].map((ground): [string, string] => ['ink-soft', ground]),
  ...papers.map((ground): [string, string] => ['ink-faint', ground]),
  ...papers.flatMap((ground): [string, string][] => [
    ['leaf', ground],
    ['leaf-strong', ground],
    ['tomato', ground],
  ]),
  ...tones.flatMap((tone): [string, string][] => [
    [`on-${tone}`, tone],
    [`${tone}-ink`, `${tone}-soft`],
  ]),
  ['on-leaf', 'leaf-strong'],
  ['on-tomato', 'tomato-strong'],
  ['leaf', 'leaf-soft'],
];

describe.each(['light', 'dark'] as const)('the %s theme', (scheme) => {
  const color = (name: string): string => {
    const found = colors.get(name)?.[scheme];
    if (!found) throw new Error(`The theme has no colour ${name}.`);
    return found;
  };

  it.each(texts)('%s has enough contrast for text on %s', (text, ground) => {
    expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(papers)('the outline of a control has enough contrast on %s', (ground) => {
    expect(contrast(color('outline'), color(ground))).toBeGreaterThanOrEqual(3);
  });
});
