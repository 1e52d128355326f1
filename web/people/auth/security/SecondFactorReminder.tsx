import { useQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { isNumberIn } from '../../../platform/api/check.ts';
import { ownedAtom } from '../../../platform/session/owned.ts';
import { Button, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Card } from '../../../platform/ui/primitives/sections.tsx';
import { secondFactorQuery } from './queries.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** When it is asked again what could not be read. */
const REPEAT_AFTER_MS = 20_000;

/** When this device may ask this person again, in milliseconds since the epoch. */
const askAgainAtom = ownedAtom<number | null>(
  'ask-second-factor-at',
  isNumberIn(0, Number.MAX_SAFE_INTEGER),
  null,
);

/** Whether somebody is to be asked for a second factor; undefined while that is not known. */
export function useSecondFactorReminder(): {
  isByPreference: boolean | undefined;
  /** Asks on this device again in a week. */
  putOff: () => void;
} {
  const { data, errorUpdateCount } = useQuery({
    ...secondFactorQuery(),
    refetchInterval: ({ state }) => state.status === 'error' && REPEAT_AFTER_MS,
  });
  const [askAgainAt, setAskAgainAt] = useAtom(askAgainAtom);
  // Of the moment the page opened, so that nothing appears while somebody works on it.
  const [now] = useState(() => Date.now());
  const putOff = () => setAskAgainAt(Date.now() + WEEK_MS);
  if (askAgainAt !== null && askAgainAt > now) return { isByPreference: false, putOff };
  // The page does not wait for what cannot be read now.
  if (!data) return { isByPreference: errorUpdateCount > 0 ? false : undefined, putOff };
  return { isByPreference: !data.app && data.passkeys.length === 0, putOff };
}

/** Asks an admin for a second factor; it can be put off for a week. */
export function SecondFactorReminder({
  href,
  onPutOff,
}: {
  /** The page where it is set up. */
  href: string;
  onPutOff: () => void;
}) {
  return (
    <Card
      as="section"
      aria-labelledby="second-factor-reminder"
      className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3"
    >
      <div className="min-w-0 flex-[1_1_20rem]">
        <h2 id="second-factor-reminder" className="font-semibold">
          {t('Protect your account')}
        </h2>
        <p className="text-sm text-ink-soft">
          {t(
            "Anyone who learns an admin's password can change the whole market. An authenticator app asks for a code too, and a passkey can't be told to anybody.",
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton href={href} variant="secondary">
          {t('Set it up')}
        </LinkButton>
        <Button variant="quiet" onClick={onPutOff}>
          {t('In a week')}
        </Button>
      </div>
    </Card>
  );
}
