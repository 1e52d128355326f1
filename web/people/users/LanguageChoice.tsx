import { Languages } from 'lucide-react';
import { usersApi } from '#contract/people/users/constants';
import { nameOfLanguage } from '#contract/platform/market/constants/choices';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useMarket } from '../../platform/format/market.ts';
import { showLanguage } from '../../platform/format/show-language.ts';
import { store, useAuth, userAtom } from '../../platform/session/session.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';

const COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** Keeps the language that somebody chose in this browser. The server leads to its addresses from then on. */
export function rememberLanguage(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of ours has a cookie store
  document.cookie = `language=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
}

/** Returns what chooses the language of the page: for this browser, and for the person who is signed in. */
export function useChooseLanguage(): (language: string) => Promise<void> {
  const { user } = useAuth();
  return async (language) => {
    rememberLanguage(language);
    // At once, also without a network: what the server knows is taken with the next answer.
    if (user) store.set(userAtom, { ...user, language });
    await showLanguage(language);
    // No mutation of the query library: its file would come with the foot of every page.
    if (user)
      await call(usersApi.updateProfile, { body: { language } }).then(
        ({ data }) => store.set(userAtom, data),
        toastError,
      );
  };
}

interface Choice {
  /** Those of the market by default. */
  languages?: readonly string[];
  /** By default it is kept. */
  onChoose?: (language: string) => unknown;
}

/** Chooses the language of the page, each by its own name. */
function LanguageSelect({ languages, onChoose, ...props }: Choice & { 'aria-label'?: string }) {
  const market = useMarket();
  const choose = useChooseLanguage();
  return (
    <Select
      {...props}
      value={theReader().language}
      onChange={(event) => void (onChoose ?? choose)(event.target.value)}
    >
      {(languages ?? market.languages).map((each) => (
        <option key={each} value={each} lang={each}>
          {nameOfLanguage(each)}
        </option>
      ))}
    </Select>
  );
}

/** The choice of a language, for the foot of a page and for menus. */
export default function LanguageChoice(choice: Choice) {
  return (
    <div className="needs-scripts flex w-fit items-center gap-2 text-sm">
      <Languages aria-hidden className="size-4 text-ink-soft" />
      <LanguageSelect {...choice} aria-label={t('Language')} />
    </div>
  );
}

/** The choice of a language as a field of the profile, which holds at once. Nothing in a market of one language. */
export function LanguageField({ className }: { className?: string }) {
  const { languages } = useMarket();
  if (languages.length < 2) return null;
  return (
    <Field
      label={t('Language')}
      hint={t('Mails and notifications are in this language too.')}
      className={className}
    >
      <LanguageSelect />
    </Field>
  );
}
