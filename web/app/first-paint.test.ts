// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { buyerNavigations } from './navigation.ts';
import { routes } from './routes.tsx';
import { workNavigations } from './work-navigation.ts';

const script = readFileSync('web/public/first-paint.js', 'utf8');

/** Runs the script of the first paint at a path, and returns what it notes on the document. */
function firstPaint(path: string): DOMStringMap {
  history.replaceState(null, '', path);
  const root = document.documentElement;
  for (const { name } of [...root.attributes]) root.removeAttribute(name);
  new Function(script)();
  return root.dataset;
}

afterEach(() => localStorage.clear());

it.each(routes.map(({ path, shape }) => [path, shape] as const))(
  'draws %s in the shape of its page',
  (path, shape) => {
    expect(firstPaint(path.replace('*', '/no/such/page').replace(/:\w+/, 'id')).firstShape).toBe(
      shape,
    );
  },
);

it.each(['consumer', 'farmer', 'admin'] as const)('leaves room for the rail of a %s', (role) => {
  localStorage.setItem('user', JSON.stringify({ role }));
  const { hasRail } = { ...buyerNavigations, ...workNavigations }[role];
  expect(firstPaint('/about').firstRail !== undefined).toBe(hasRail);
});

it('applies a stored theme and ignores what cannot be read', () => {
  localStorage.setItem('theme', '"dark"');
  localStorage.setItem('user', '{');
  const { theme, firstRail } = firstPaint('/');
  expect([theme, firstRail]).toEqual(['dark', undefined]);
  localStorage.setItem('theme', '"pink"');
  expect(firstPaint('/').theme).toBeUndefined();
});
