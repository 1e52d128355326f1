import { Languages } from 'lucide-react';
import { usersApi } from '#contract/people/users/constants';
import { nameOfLanguage } from '#contract/platform/market/constants/choices';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { followLanguage } from '../../platform/format/language.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { store, useAuth, userAtom } from '../../platform/session/session.ts';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';

const COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** Keeps the language that somebody chose in this browser, and shows the page in it. */
async function chooseLanguage(language: string): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of ours has a cookie store
  document.cookie = `language=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
  await followLanguage();
}

/** Chooses the language of the page, each by its own name: for this browser, and for the person who is signed in. */
function LanguageSelect(props: { 'aria-label'?: string }) {
  const { languages } = useMarket();
  const { user } = useAuth();
  const save = useCommand(
    (chosen: string) => call(usersApi.updateProfile, { body: { language: chosen } }),
    { onSuccess: (_, { data }) => store.set(userAtom, data) },
  );
  const choose = async (chosen: string) => {
    if (user) await save.mutateAsync(chosen).catch(() => undefined);
    await chooseLanguage(chosen);
  };
  return (
    <Select
      {...props}
      value={theReader().language}
      onChange={(event) => void choose(event.target.value)}
    >
      {languages.map((each) => (
        <option key={each} value={each} lang={each}>
          {nameOfLanguage(each)}
        </option>
      ))}
    </Select>
  );
}

/** The choice of a language, for the foot of a page. */
export default function LanguageChoice() {
  return (
    <div className="needs-scripts flex w-fit items-center gap-2 text-sm">
      <Languages aria-hidden className="size-4 text-ink-soft" />
      <LanguageSelect aria-label={t('Language')} />
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
