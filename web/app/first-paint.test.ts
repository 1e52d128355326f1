// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstPaintScript } from '../../vite.pages.ts';
import { consumerNavigations } from './frame/navigation.ts';
import { workNavigations } from './frame/WorkNav.tsx';
import { routes } from './routes.tsx';

const script = firstPaintScript();

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

it('draws an empty page in its language, and a page of the server as it is', () => {
  localStorage.setItem('market', JSON.stringify({ languages: ['en', 'ur', 'de'] }));
  const root = document.documentElement;
  const shown = (path: string) => {
    const { firstShape } = firstPaint(path);
    return [root.lang, root.dir, firstShape];
  };
  expect(shown('/ur/products')).toEqual(['ur', 'rtl', 'cards']);
  expect(shown('/de')).toEqual(['de', 'ltr', 'scene']);
  expect(shown('/fr/products')[0]).toBe('en');
  localStorage.setItem('user', JSON.stringify({ role: 'consumer', language: 'ur' }));
  expect(shown('/orders')).toEqual(['ur', 'rtl', 'rows']);
  localStorage.setItem('market', JSON.stringify({ languages: ['de', 'en'] }));
  expect(shown('/checkout')[0]).toBe('en');
  const canonical = document.createElement('link');
  canonical.rel = 'canonical';
  document.head.append(canonical);
  expect(shown('/ur/products')[0]).toBe('');
  canonical.remove();
});

it.each(['consumer', 'farmer', 'admin'] as const)('leaves room for the rail of a %s', (role) => {
  localStorage.setItem('user', JSON.stringify({ role }));
  const { hasRail } = { ...consumerNavigations, ...workNavigations }[role];
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

it.each([
  ['navigate', undefined],
  ['reload', ''],
  ['back_forward', ''],
])('notes after a %s whether the reader is led back to their place', (type, returned) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type } as PerformanceNavigationTiming,
  ]);
  expect(firstPaint('/products').returned).toBe(returned);
  vi.restoreAllMocks();
});

it.each(['consumer', 'farmer', 'admin'])('notes that a %s is signed in', (role) => {
  localStorage.setItem('user', JSON.stringify({ role }));
  expect(firstPaint('/').firstRole).toBe(role);
});

it.each([undefined, '{', '"admin"', '{"role":"pirate"}'])('takes %s for a visitor', (user) => {
  if (user !== undefined) localStorage.setItem('user', user);
  expect(firstPaint('/').firstRole).toBeUndefined();
});

it('asks at once for what pages of signed-in people need, for them alone', () => {
  const element = document.createElement('script');
  element.dataset.signedIn = '/assets/forms-a.js /assets/frame-b.js';
  const current = vi.spyOn(document, 'currentScript', 'get').mockReturnValue(element);
  const asked = () =>
    Array.from(document.querySelectorAll('link[rel=modulepreload]'), (link) =>
      link.getAttribute('href'),
    );
  firstPaint('/');
  expect(asked()).toEqual([]);
  localStorage.setItem('user', JSON.stringify({ role: 'farmer' }));
  firstPaint('/farmer/orders');
  expect(asked()).toEqual(['/assets/forms-a.js', '/assets/frame-b.js']);
  document.head.innerHTML = '<link rel="canonical" href="https://farmgate.example/">';
  firstPaint('/');
  expect(asked()).toEqual([]);
  localStorage.setItem('user', JSON.stringify({ role: 'consumer' }));
  firstPaint('/products');
  expect(asked()).toEqual([]);
  // The home of consumers is not the one that the server renders.
  firstPaint('/');
  expect(asked()).toHaveLength(2);
  document.head.innerHTML = '';
  current.mockRestore();
});

it('hides the announcement that was put away here, and no other', () => {
  const root = document.documentElement;
  const paint = (announcement: string) => {
    for (const { name } of [...root.attributes]) root.removeAttribute(name);
    root.dataset.announcement = announcement;
    new Function(script)();
    return root.dataset.announcementRead !== undefined;
  };
  const [put, next] = ['2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z'];
  expect(paint(put)).toBe(false);
  localStorage.setItem('announcement-read', JSON.stringify(put));
  expect(paint(put)).toBe(true);
  expect(paint(next)).toBe(false);
});

it.each([
  ['the scripts have run', () => document.dispatchEvent(new Event('farmgate:settled'))],
  ['all files are there, or failed', () => window.dispatchEvent(new Event('load'))],
  ['somebody scrolls', () => document.dispatchEvent(new Event('scroll'))],
])('loads the pictures below the first screen once %s', (_, happen) => {
  const noted = firstPaint('/products');
  expect(noted.firstScreen).toBe('');
  happen();
  expect(noted.firstScreen).toBeUndefined();
});

it('presses later, once, what was pressed before the page was taken over', () => {
  firstPaint('/products');
  document.body.innerHTML =
    '<div id="root"><button type="button"><b>Add</b></button><button type="button">Gone</button></div>';
  const [add, gone] = document.querySelectorAll('button');
  const presses: string[] = [];
  const listen = ({ target }: Event) => presses.push((target as Element).textContent ?? '');
  document.getElementById('root')?.addEventListener('click', listen);
  add?.querySelector('b')?.click();
  add?.click();
  gone?.click();
  expect(presses).toEqual([]);
  gone?.remove();
  document.dispatchEvent(new Event('farmgate:settled'));
  expect(presses).toEqual(['Add']);
  add?.click();
  expect(presses).toEqual(['Add', 'Add']);
});

it('ticks later what was ticked before', () => {
  firstPaint('/products');
  document.body.innerHTML =
    '<div id="root"><input type="checkbox"><input type="radio" name="r"><input type="radio" name="r"><input type="checkbox" checked></div>';
  const fields = [...document.querySelectorAll('input')];
  const [box, one, other, unticked] = fields;
  for (const field of [box, one, other, one, unticked]) field?.click();
  const ticks: [field: number, isTicked: boolean][] = [];
  for (const [index, field] of fields.entries())
    field.addEventListener('click', () => ticks.push([index, field.checked]));
  document.dispatchEvent(new Event('farmgate:settled'));
  expect(ticks).toEqual([
    [0, true],
    [2, true],
    [1, true],
    [3, false],
  ]);
  expect(fields.map(({ checked }) => checked)).toEqual([true, true, false, false]);
});

it('types later what was typed before, and leaves forms with an address alone', () => {
  firstPaint('/products');
  document.body.innerHTML =
    '<div id="root"><form action="/products"><input name="search"></form><form id="news"></form></div>';
  const input = document.querySelector('input');
  const typed: string[] = [];
  if (input) input.value = 'pears';
  input?.dispatchEvent(new Event('input', { bubbles: true }));
  input?.addEventListener('input', () => typed.push(input.value));
  const submitted = (form: string) =>
    document
      .querySelector(form)
      ?.dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }));
  expect(submitted('form[action]')).toBe(true);
  expect(submitted('#news')).toBe(false);
  document.dispatchEvent(new Event('farmgate:settled'));
  expect(typed).toEqual(['pears']);
  expect(submitted('#news')).toBe(true);
});

describe('a page whose first scripts cannot be loaded', () => {
  const reload = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
    reload.mockReset();
    vi.spyOn(location, 'reload').mockImplementation(reload);
    document.body.innerHTML = '<div id="root"></div>';
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('')));
    const element = document.createElement('script');
    element.dataset.unloaded = 'Nothing comes. Check your connection.';
    element.dataset.unfinished = 'It is not whole.';
    vi.spyOn(document, 'currentScript', 'get').mockReturnValue(element);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    // The script lets go of the page.
    document.dispatchEvent(new Event('farmgate:settled'));
  });

  /** Opens the page, and lets its script fail. */
  async function openWithoutScripts(): Promise<void> {
    firstPaint('/products');
    const script = document.createElement('script');
    script.type = 'module';
    document.body.append(script);
    script.dispatchEvent(new Event('error'));
    await vi.runAllTimersAsync();
  }
  const said = () => document.querySelector('[role="alert"]')?.textContent;

  it('is loaded again a few times, and then says so', async () => {
    for (const times of [1, 2, 3]) {
      await openWithoutScripts();
      expect(reload).toHaveBeenCalledTimes(times);
    }
    expect(said()).toBeUndefined();
    await openWithoutScripts();
    expect(reload).toHaveBeenCalledTimes(3);
    expect(said()).toBe('It is not whole.');
  });

  it('begins to count anew once its scripts ran', async () => {
    await openWithoutScripts();
    expect(sessionStorage.length).toBe(1);
    firstPaint('/products');
    document.dispatchEvent(new Event('farmgate:settled'));
    expect(sessionStorage.length).toBe(0);
  });

  it('blames the connection where the server cannot be reached, and waits for it', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await openWithoutScripts();
    expect(reload).not.toHaveBeenCalled();
    expect(said()).toMatch(/Check your connection/);
    window.dispatchEvent(new Event('online'));
    expect(reload).toHaveBeenCalled();
  });
});
