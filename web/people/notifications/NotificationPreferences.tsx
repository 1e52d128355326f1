import { useQuery } from '@tanstack/react-query';
import { BellOff, BellRing } from 'lucide-react';
import {
  ALWAYS_MAILED,
  NOTIFICATION_LABELS,
  type OutsideChannel,
  TEXTED_KINDS,
} from '#contract/people/notifications/constants';
import type { NotificationKind, Preferences } from '#contract/people/notifications/notifications';
import type { Role } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../platform/session/session.ts';
import { Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { SoundSwitch } from '../model/SoundSwitch.tsx';
import { KINDS } from './kinds.ts';
import { phoneQuery } from './phone.ts';
import { type PushState, usePush } from './push.ts';
import { preferencesQuery, useUpdatePreferences } from './queries.ts';
import { TextMessages } from './TextMessages.tsx';

const kindsOf = (role: Role): NotificationKind[] =>
  (Object.keys(KINDS) as NotificationKind[]).filter((kind) => KINDS[kind].roles.includes(role));

const channels: Record<OutsideChannel, Message> = {
  email: msg('Email'),
  push: msg('Push'),
  sms: msg('SMS'),
};

/** Returns the channels of a kind that somebody may choose or leave; `canBeTexted` where they have a verified phone. */
const choicesOf = (kind: NotificationKind, canBeTexted: boolean): OutsideChannel[] => [
  ...(ALWAYS_MAILED.includes(kind) ? [] : (['email'] as const)),
  'push',
  ...(canBeTexted && TEXTED_KINDS.includes(kind) ? (['sms'] as const) : []),
];

/** The choice of email, push and SMS for each kind of notification, a card on the profile page. */
export function NotificationPreferences() {
  const { user } = useAuth();
  const preferences = useQuery(preferencesQuery());
  const { data: phone } = useQuery(phoneQuery());
  const canBeTexted = phone?.isTextingOn === true && phone.isVerified;
  if (!user) return null;
  const kinds = kindsOf(user.role);
  return (
    <Card as="section" aria-labelledby="notification-preferences">
      <CardHeader id="notification-preferences" title={t('Notifications')} />
      <p className="mb-4 max-w-prose text-sm text-ink-soft">
        {t("The bell always shows them. Choose what else reaches you when you're away.")}
      </p>
      <Fetched query={preferences} skeleton={<KindsSkeleton kinds={kinds} />}>
        {(chosen) => <Kinds kinds={kinds} preferences={chosen} canBeTexted={canBeTexted} />}
      </Fetched>
      <div className="mt-5 grid gap-4 border-t border-hairline pt-5">
        <PushSwitch />
        {phone?.isTextingOn && <TextMessages phone={phone} />}
        {user.role === 'farmer' && <SoundSwitch />}
      </div>
    </Card>
  );
}

type KindsProps = {
  kinds: readonly NotificationKind[];
  preferences: Preferences;
  canBeTexted: boolean;
};

function Kinds({ kinds, preferences, canBeTexted }: KindsProps) {
  const update = useUpdatePreferences();
  return (
    <div className="divide-y divide-hairline">
      {kinds.map((kind) => (
        <fieldset key={kind} className="flex flex-wrap items-center justify-between gap-x-6 py-2.5">
          <legend className="sr-only">{writeMessage(NOTIFICATION_LABELS[kind])}</legend>
          <p aria-hidden="true" className="min-w-48 grow text-sm">
            <span className="font-medium">{writeMessage(NOTIFICATION_LABELS[kind])}</span>
            <span className="block text-ink-soft">{writeMessage(KINDS[kind].hint)}</span>
          </p>
          <div className="flex flex-wrap gap-x-6">
            {ALWAYS_MAILED.includes(kind) && (
              <p className="py-1.5 text-sm text-ink-soft">{t('Always by email')}</p>
            )}
            {choicesOf(kind, canBeTexted).map((channel) => (
              <Checkbox
                key={channel}
                label={writeMessage(channels[channel])}
                checked={preferences[kind]?.[channel] ?? channel !== 'sms'}
                onChange={(event) =>
                  update.mutate({
                    [kind]: { ...preferences[kind], [channel]: event.target.checked },
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

const pushTexts = (market: string): Record<PushState, string> => ({
  unsupported: t("This browser can't show push messages."),
  denied: t('Notifications are blocked in this browser. Allow them for this site to change that.'),
  on: t('This browser shows them, even when {market} is closed.', { market }),
  off: t("This browser doesn't show them yet."),
});

/** Turns the push messages of this browser on and off, and says where they stand. */
export function PushSwitch() {
  const { state, isChanging, change } = usePush();
  const isOn = state === 'on';
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm">
        <span className="font-medium">{t('Push messages in this browser')}</span>
        <span className="block text-ink-soft">
          {state ? pushTexts(theMarket().name)[state] : ' '}
        </span>
      </p>
      {(isOn || state === 'off') && (
        <Button
          variant="secondary"
          icon={isOn ? <BellOff /> : <BellRing />}
          pending={isChanging}
          onClick={() => change(!isOn)}
        >
          {isOn ? t('Turn off') : t('Turn on')}
        </Button>
      )}
    </div>
  );
}

function KindsSkeleton({ kinds }: Pick<KindsProps, 'kinds'>) {
  return (
    <Loading label={t('Loading preferences')} className="divide-y divide-hairline">
      {kinds.map((kind) => (
        <div key={kind} className="flex items-center justify-between gap-6 py-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-36" />
        </div>
      ))}
    </Loading>
  );
}
