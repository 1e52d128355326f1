// @vitest-environment happy-dom
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { setReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { store, userAtom } from '../session/session.ts';
import { aUser } from '../testing/network.ts';
import { allSentences, beginLanguage, followLanguage } from './language.ts';
import { useMarket } from './market.ts';
import { rich } from './rich.tsx';

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
