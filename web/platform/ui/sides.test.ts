import { expect, it } from 'vitest';
import { sidesIn } from '../../../scripts/lib/sides.mjs';

const found = (text: string, file = 'web/a/A.tsx') => sidesIn(file, text);

it.each([
  'ml-2',
  '-mr-1',
  'sm:pl-3',
  'pr-[3px]',
  'scroll-ml-4',
  'left-0',
  'max-sm:-right-1/2',
  'text-left',
  'rows:text-right',
  'border-l',
  'border-r-2',
  'border-l-leaf',
  'rounded-tl-none',
  'rounded-r',
  'float-left',
  'origin-top-right',
  'bg-linear-to-r',
  '-translate-x-1/2',
])('refuses the class %s', (name) => {
  expect(found(`<p className="flex ${name} grow" />`)).toEqual([name.replace(/^[\w-]+:/, '')]);
});

it.each([
  ['web/a/a.css', '.a {\n  margin-left: 2px;\n}', 'margin-left'],
  ['web/a/a.css', '.a {\n  left: 0;\n}', 'left:'],
  ['web/a/a.css', '.a {\n  text-align: right;\n}', 'text-align: right'],
  ['web/a/A.tsx', '<p style={{ paddingLeft: 2 }} />', 'paddingLeft'],
  ['server/a/a.ts', '\'<a style="position:fixed;right:1rem">\'', 'right:'],
  ['workers/a/a.ts', '`<td style="text-align:left">`', 'text-align:left'],
])('refuses in %s: %s', (file, text, side) => {
  expect(found(text, file)).toEqual([side]);
});

it.each([
  '<p className="ms-2 -me-1 inset-s-0 text-start border-s border-line rounded-ee-none inset-x-0" />',
  "const text = 'Only 3 left: take them.'",
  'const { left, right } = box.getBoundingClientRect()',
  'const PADDING_PX = { top: 8, right: 8 }',
  '<p className="border-red border-leaf plain-text prose ml" title=\'right to left\' />',
])('allows %s', (text) => {
  expect(found(text)).toEqual([]);
});
