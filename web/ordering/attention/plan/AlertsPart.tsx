import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { BellRing, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FarmEscalation } from '#contract/ordering/attention/attention';
import type { User } from '#contract/people/users/users';
import { t } from '#contract/platform/text/constants/texts';
import { SoundSwitch } from '../../../people/model/SoundSwitch.tsx';
import { rich } from '../../../platform/format/rich.tsx';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { mayForFarm } from '../../../platform/session/session.ts';
import { soundAtom, soundStateAtom } from '../../../platform/ui/feedback/sound.ts';
import { Alert, Fetched, SkeletonRows } from '../../../platform/ui/feedback/states.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../../platform/ui/primitives/sections.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useSetOff, useTryOut } from '../commands.ts';
import { planQuery } from '../queries.ts';
import { PlanForm } from './PlanForm.tsx';
import type { Person } from './plan-words.ts';

type Props = {
  me: User;
  people: readonly Person[];
  /** The farm's. */
  timeZone: string | undefined;
  /** Turns the push messages of this browser on and off, and says where they stand. */
  pushSwitch: ReactNode;
};

/** How the farm is told of new orders, and how each of its people is. */
export function AlertsPart({ me, people, timeZone, pushSwitch }: Props) {
  const query = useQuery(planQuery());
  return (
    <div className="grid max-w-3xl gap-6">
      {query.data?.isUnreachable && <Unreachable />}
      <Card as="section" aria-labelledby="this-device">
        <CardHeader id="this-device" title={t('This device, and you')} />
        <div className="grid gap-5">
          <RingMeNow />
          <SoundSwitch />
          {pushSwitch}
          {query.data && <NotToday plan={query.data} />}
        </div>
      </Card>
      <Card as="section" aria-labelledby="plan">
        <CardHeader id="plan" title={t('How new orders reach you')} />
        <Fetched query={query} skeleton={<SkeletonRows rows={6} />}>
          {(plan) => (
            <PlanForm
              plan={plan}
              mayChange={mayForFarm(me, 'changeFarm')}
              people={people}
              timeZone={timeZone}
            />
          )}
        </Fetched>
      </Card>
    </div>
  );
}

const Unreachable = () => (
  <Alert kind="error">
    <p className="font-semibold">{t('An order would reach nobody')}</p>
    <p>
      {rich(
        'While no page of yours is open, nothing in this plan reaches anybody: no browser gets push messages, no email is confirmed and no phone is verified. Turn on push messages on the phone you carry, or confirm your email in <profile>your profile</profile>, and check that the steps below use it.',
        {
          profile: (words) => (
            <Link href="/profile" className="link">
              {words}
            </Link>
          ),
        },
      )}
    </p>
  </Alert>
);

/** Whether this is a telephone whose pages get push messages only once they are installed. */
const needsInstalling = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) &&
  !window.matchMedia('(display-mode: standalone)').matches;

/** Rings oneself, and says what to look at where it stays silent. */
function RingMeNow() {
  const tryOut = useTryOut();
  const isOn = useAtomValue(soundAtom);
  const state = useAtomValue(soundStateAtom);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 grow basis-60 text-sm">
          <span className="font-medium">{t('Try it out')}</span>
          <span className="block text-ink-soft">
            {t(
              'Rings every page you have open, and sends you a push message, as a new order does.',
            )}
          </span>
        </p>
        <Button
          icon={<BellRing />}
          pending={tryOut.isPending}
          onClick={() => tryOut.mutate()}
          className="min-h-11"
        >
          {t('Ring me now')}
        </Button>
      </div>
      {tryOut.isSuccess && (
        <div role="status" className="rounded bg-leaf-soft px-4 py-3 text-sm text-leaf-ink">
          <p className="font-semibold">{t('It rang. Did you hear it?')}</p>
          <p>{t('If not, look at these:')}</p>
          <ul className="ms-5 mt-1 grid list-disc gap-1">
            {!isOn && <li>{t('The sound is off in this browser. Turn it on below.')}</li>}
            {state === 'blocked' && (
              <li>
                {t('Your browser lets this page ring once you tap it. Tap it, then try again.')}
              </li>
            )}
            {state === 'none' && <li>{t("This browser can't play sounds.")}</li>}
            <li>{t('The volume of this device, and whether it is set to silent.')}</li>
            <li>
              {t(
                'Push messages: turned on below, and allowed for this site in the settings of the browser and the device.',
              )}
            </li>
            <li className={needsInstalling() ? 'font-semibold' : undefined}>
              {t(
                'iPhone and iPad: install the app first. In Safari choose Share, then Add to Home Screen, and turn on push messages in the installed app.',
              )}
            </li>
          </ul>
        </div>
      )}
    </div>
  );
}

function NotToday({ plan: { offUntil = null } }: { plan: FarmEscalation }) {
  const setOff = useSetOff();
  const now = useNow();
  const isOff = offUntil !== null && Date.parse(offUntil) > now;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 grow basis-60 text-sm">
        <span className="font-medium">{t('Not today')}</span>
        <span className="block text-ink-soft">
          {isOff
            ? rich('You are off until {time}. Nothing reaches you outside the app.', {
                time: <Time value={offUntil} inSentence />,
              })
            : t(
                'For the rest of the day nothing reaches you outside the app. The others are told.',
              )}
        </span>
      </p>
      <Button
        variant="secondary"
        icon={isOff ? <Sun /> : <Moon />}
        pending={setOff.isPending}
        onClick={() => setOff.mutate(!isOff)}
        className="min-h-11"
      >
        {isOff ? t("I'm back") : t('Not today')}
      </Button>
    </div>
  );
}
