// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PHONE } from '../../platform/hooks/use-media.ts';
import { type AppRoute, routes } from '../routes.tsx';
import { viewTransitions } from './view-transition.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';
const fade = vi.fn((update: () => void) => {
  update();
  return { ready: Promise.resolve() };
});
const navigate = vi.fn();
const about = routes.find(({ path }) => path === '/about') as AppRoute;
const isLoaded = vi.spyOn(about, 'isLoaded');
const parser = (pattern: string) => ({
  pattern: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`),
  keys: [],
});

beforeEach(() => {
  isLoaded.mockReturnValue(true);
  Object.assign(document, { startViewTransition: fade });
  document.body.innerHTML = '<a href="/about">About</a><button>Go</button>';
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'startViewTransition');
});

/** Navigates to a page by a click on an element, in a window that these media queries match. */
function click(selector: 'a' | 'button', to: string, ...matching: string[]): void {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: matching.includes(query) }));
  const element = document.querySelector(selector) as HTMLElement;
  element.onclick = (event) => {
    event.preventDefault();
    viewTransitions(parser)(navigate, to, {});
  };
  element.click();
}

it('fades to a page that is loaded, after a click on a link', () => {
  isLoaded.mockReturnValue(false);
  click('a', '/about');
  expect(fade).not.toHaveBeenCalled();
  expect(navigate).toHaveBeenCalledTimes(1);
  isLoaded.mockReturnValue(true);
  click('a', '/about?again');
  expect(fade).toHaveBeenCalledOnce();
  expect(navigate).toHaveBeenCalledTimes(2);
});

it.each([
  ['motion is reduced', 'a', REDUCED],
  ['the window is as narrow as a phone', 'a', PHONE],
  ['code navigates', 'button', ''],
] as const)('goes there at once when %s', (_, selector, matching) => {
  click(selector, '/about', matching);
  expect(fade).not.toHaveBeenCalled();
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/about', {});
});
