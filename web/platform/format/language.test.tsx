// @vitest-environment happy-dom
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { setReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { store, userAtom } from '../session/session.ts';
import { aUser } from '../testing/network.ts';
import { toAddress, withoutLanguage } from './address.ts';
import { allSentences, beginLanguage, followLanguage } from './language.ts';
import { useMarket } from './market.ts';
import { rich } from './rich.tsx';
import { showLanguage } from './show-language.ts';

const Consent = () => (
  <p>
    {rich('I agree to the <terms>terms</terms>', {
      terms: (words) => <a href="/terms">{words}</a>,
    })}
  </p>
);

const SENTENCE = 'Please sign in to continue.';
const GERMAN = 'Bitte melden Sie sich an, um fortzufahren.';

const prefer = (...languages: string[]) =>
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
const offer = (...languages: ('en' | 'ur' | 'de')[]) => setMarket({ ...DEFAULT_MARKET, languages });
const choose = (language: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what is tested
  document.cookie = `language=${language}; path=/`;
  return followLanguage();
};
const forget = () => {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what is tested
  document.cookie = 'language=; path=/; max-age=0';
};

beforeEach(() => {
  offer('en', 'ur', 'de');
  prefer('fr-FR');
});

afterEach(async () => {
  forget();
  store.set(userAtom, null);
  setMarket(DEFAULT_MARKET);
  vi.restoreAllMocks();
  history.replaceState(null, '', '/');
  await beginLanguage(false);
  setReader(() => undefined);
  document.documentElement.removeAttribute('dir');
});

const shown = () => [document.documentElement.lang, document.documentElement.dir, t(SENTENCE)];

it('is what the person chose, then this browser, then what the browser prefers, then the market', async () => {
  await beginLanguage(false);
  expect(shown()).toEqual(['en', 'ltr', SENTENCE]);

  prefer('fr-FR', 'de-AT', 'en');
  await beginLanguage(false);
  await allSentences();
  expect(shown()).toEqual(['de', 'ltr', GERMAN]);

  // biome-ignore lint/suspicious/noDocumentCookie: it is what is tested
  document.cookie = 'language=ur; path=/';
  await beginLanguage(false);
  await allSentences();
  expect(shown()).toEqual(['ur', 'rtl', expect.stringContaining('سائن اِن')]);

  store.set(userAtom, { ...aUser('consumer'), language: 'de' });
  await followLanguage();
  expect(shown()[0]).toBe('de');

  // Nothing chosen in the account: what this browser has.
  store.set(userAtom, { ...aUser('consumer'), language: null });
  await followLanguage();
  expect(shown()[0]).toBe('ur');
});

it('passes over a choice that the market does not offer, until it does again', async () => {
  store.set(userAtom, { ...aUser('consumer'), language: 'de' });
  offer('ur', 'en');
  await beginLanguage(false);
  expect(shown()[0]).toBe('ur');
  offer('en', 'de');
  await followLanguage();
  expect(shown()[0]).toBe('de');
});

it('is that of the HTML where the server rendered the page', async () => {
  prefer('de');
  document.documentElement.lang = 'ur';
  await beginLanguage(true);
  expect(shown()[0]).toBe('ur');
});

it('is that of a public address, whatever anybody chose, and otherwise their choice', async () => {
  const at = async (address: string) => {
    history.replaceState(null, '', address);
    await followLanguage(true);
    return [shown()[0], location.pathname + location.search + location.hash];
  };
  prefer('ur');
  expect(await at('/products?sort=newest#x')).toEqual(['en', '/products?sort=newest#x']);
  expect(await at('/de/products?sort=newest#x')).toEqual(['de', '/de/products?sort=newest#x']);
  expect(toAddress('/farmers')).toBe('/de/farmers');
  expect(toAddress('/')).toBe('/de');
  expect(toAddress('/ur/farmers')).toBe('/ur/farmers');
  expect(withoutLanguage('/de/farmers')).toBe('/farmers');
  expect(withoutLanguage('/fr/farmers')).toBe('/fr/farmers');
  expect(await at('/products')).toEqual(['en', '/products']);
  store.set(userAtom, { ...aUser('consumer'), language: 'ur' });
  expect(await at('/products?sort=newest#x')).toEqual(['ur', '/ur/products?sort=newest#x']);
  expect(await at('/de/products')).toEqual(['de', '/de/products']);
  // Nobody but the person decides on their own pages.
  history.replaceState(null, '', '/de/orders');
  await followLanguage(false);
  expect([shown()[0], location.pathname]).toEqual(['ur', '/ur/orders']);
});

it('leaves the addresses of a language that the market gives up while it is read', async () => {
  history.replaceState(null, '', '/ur/products?sort=newest');
  await followLanguage(true);
  expect(shown()[0]).toBe('ur');
  offer('en', 'de');
  // It is no page of its own before the address is another one.
  expect(withoutLanguage(location.pathname)).toBe('/products');
  await followLanguage(true);
  expect([shown()[0], location.pathname, location.search]).toEqual([
    'en',
    '/products',
    '?sort=newest',
  ]);
});

it('shows the last language of several that were chosen in a row, each of them whole', async () => {
  await beginLanguage(false);
  await Promise.all(['ur', 'de', 'ur', 'de'].map((each) => showLanguage(each)));
  expect(shown()).toEqual(['de', 'ltr', GERMAN]);
  expect(allSentences()).toBeUndefined();
  await Promise.all([showLanguage('ur'), showLanguage('en')]);
  expect(shown()).toEqual(['en', 'ltr', SENTENCE]);
  expect(location.pathname).toBe('/');
});

it('renders again what shows sentences', async () => {
  await beginLanguage(false);
  const { result } = renderHook(() => {
    useMarket();
    return t(SENTENCE);
  });
  expect(result.current).toBe(SENTENCE);
  await act(() => choose('de'));
  expect(result.current).toBe(GERMAN);
});

it('puts elements into a sentence where its language has them', async () => {
  const { unmount } = render(<Consent />);
  expect(document.querySelector('p')?.textContent).toBe('I agree to the terms');
  expect(screen.getByRole('link', { name: 'terms' }).getAttribute('href')).toBe('/terms');
  unmount();
  await act(() => choose('de'));
  render(<Consent />);
  await waitFor(() =>
    expect(document.querySelector('p')?.textContent).toBe('Ich stimme den Bedingungen zu'),
  );
  // Every text has an element of its own, which a browser that translates may replace.
  const texts = [...(document.querySelector('p')?.childNodes ?? [])];
  expect(texts.every(({ nodeType }) => nodeType === Node.ELEMENT_NODE)).toBe(true);
});
