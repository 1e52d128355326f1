// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { setReader } from '#contract/platform/text/constants/reader';
import { beginAs, one, open, sent } from '../../pages/testing/page.tsx';
import { beginLanguage } from '../../platform/format/language.ts';
import { useMarket } from '../../platform/format/market.ts';
import { store, userAtom } from '../../platform/session/session.ts';
import { aUser, stubNetwork } from '../../platform/testing/network.ts';
import { GeneralForm } from './GeneralForm.tsx';

const user = aUser('consumer');

/** As the app does, a page is rendered again in another language. */
function Page() {
  useMarket();
  return <GeneralForm user={user} onSave={vi.fn()} />;
}

beginAs(user);
beforeEach(() => setMarket({ ...DEFAULT_MARKET, languages: ['en', 'de', 'ur'] }));
afterEach(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what the choice sets
  document.cookie = 'language=; path=/; max-age=0';
  store.set(userAtom, null);
  setMarket(DEFAULT_MARKET);
  await beginLanguage(false);
  setReader(() => undefined);
  document.documentElement.removeAttribute('dir');
});

it('a profile chooses its language, which the open page follows with what is typed in it', async () => {
  const calls = stubNetwork({ 'PUT /users/profile': one({ ...user, language: 'ur' }) });
  open(<Page />);
  await userEvent.type(screen.getByLabelText(/^Name/), ' the Second');
  const choice = screen.getByLabelText<HTMLSelectElement>('Language');
  expect([...choice.options].map(({ text, lang }) => [text, lang])).toEqual([
    ['English', 'en'],
    ['Deutsch', 'de'],
    ['اردو', 'ur'],
  ]);
  await userEvent.selectOptions(choice, 'ur');
  await screen.findByLabelText('زبان');
  expect(sent(calls, 'PUT')).toEqual([{ language: 'ur' }]);
  expect(document.documentElement.dir).toBe('rtl');
  screen.getByRole('button', { name: 'تبدیلیاں محفوظ کریں' });
  expect(screen.getByLabelText<HTMLInputElement>(/^نام/).value).toBe(`${user.name} the Second`);
});

it('a market of one language has no choice', () => {
  setMarket(DEFAULT_MARKET);
  open(<Page />);
  expect(screen.queryByLabelText('Language')).toBeNull();
});
