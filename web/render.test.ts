import { beforeAll, expect, it } from 'vitest';
import { theMarket } from '#contract/platform/market/constants';
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
