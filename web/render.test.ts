import { afterEach, beforeAll, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket, theMarket } from '#contract/platform/market/constants';
import { routes } from './app/routes.tsx';
import { answerCallsWith, renderPage } from './render.tsx';

// This file runs without a browser: whatever needs one, when it is loaded or rendered, fails here.

const REFUSAL = JSON.stringify({ success: false, message: 'There is none.', code: 'NOT_FOUND' });

beforeAll(() => {
  answerCallsWith(async (url) =>
    url === '/api/market'
      ? { status: 200, text: JSON.stringify({ success: true, data: theMarket() }) }
      : { status: 404, text: REFUSAL },
  );
});

const PAGES = routes
  .filter(({ guard, path }) => guard === 'public' && path !== '*')
  .map(({ path }) => path);

it.each(PAGES)('renders %s without a browser', async (route) => {
  const path = route.replace(/:\w+/, 'some');
  const { html, dehydrated } = await renderPage({
    route,
    path,
    params: { id: 'some' },
    search: '',
    reader: { language: 'en' },
  });
  expect(html).toContain('<main');
  expect(html).toContain('<footer');
  expect(dehydrated).toMatchObject({ route });
});

afterEach(() => setMarket(DEFAULT_MARKET));

/** A reader whose sentences are all the same. */
const readerIn = (language: string) =>
  language === 'en' ? { language } : { language, find: () => `[${language}]` };

it('renders forty pages of three languages at once, each in its own and with its own links', async () => {
  setMarket({ ...DEFAULT_MARKET, languages: ['en', 'ur', 'de'] });
  const public_ = ['/', '/products', '/farmers', '/about'];
  const wrong = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const language = ['en', 'ur', 'de'][index % 3] ?? 'en';
      const route = public_[index % 4] ?? '/';
      const { html } = await renderPage({
        route,
        path: route,
        params: {},
        search: '',
        reader: readerIn(language),
      });
      const links = Array.from(html.matchAll(/<a [^>]*href="(\/[^"#]*)/g), ([, href = '']) => href);
      const prefix = language === 'en' ? '' : `/${language}`;
      const isRight =
        links.length > 5 &&
        links.every((href) => (prefix ? href.startsWith(prefix) : !/^\/(ur|de)\b/.test(href))) &&
        html.includes('[ur]') === (language === 'ur') &&
        html.includes('[de]') === (language === 'de') &&
        html.includes('Skip to content') === (language === 'en');
      return isRight ? [] : [`${language} ${route} ${links}`];
    }),
  );
  expect(wrong.flat()).toEqual([]);
});
