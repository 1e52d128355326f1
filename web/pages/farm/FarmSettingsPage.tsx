import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { CertificatePart } from '../../farm/certificate/CertificatePart.tsx';
import { FarmProfileForm, type FarmSection } from '../../farm/farmers/FarmProfileForm.tsx';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { MembersPart, UnreachableMembers } from '../../farm/members/MembersPart.tsx';
import { membersQuery } from '../../farm/members/queries.ts';
import { PlacesPart } from '../../farm/places/PlacesPart.tsx';
import { SchedulePart } from '../../farm/schedule/SchedulePart.tsx';
import { PaymentPart } from '../../money/payment/PaymentPart.tsx';
import { AlertsPart } from '../../ordering/attention/plan/AlertsPart.tsx';
import { FarmCalendarPart } from '../../ordering/calendar/FarmCalendarPart.tsx';
import { countAnsweredAtOnce } from '../../ordering/model/answered-at-once.ts';
import { useUpdateProfile } from '../../people/auth/commands.ts';
import {
  NotificationPreferences,
  PushSwitch,
} from '../../people/notifications/NotificationPreferences.tsx';
import { GeneralForm } from '../../people/users/GeneralForm.tsx';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Tabs } from '../../platform/ui/lists/Tabs.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { OneImageUpload } from '../../platform/uploads/ImageUpload.tsx';
import { FarmClosingQuestion } from '../ordering/FarmClosingQuestion.tsx';

const SECTIONS = [
  'farm',
  'days',
  'places',
  'payment',
  'people',
  'alerts',
  'notifications',
] as const;
/** What anyone who works for the farm may see. */
const OPEN_TO_ALL: readonly Section[] = ['days', 'places', 'people', 'alerts', 'notifications'];
type Section = (typeof SECTIONS)[number];

/** How the farm works, a section for each part of it. The open section is kept in the URL. */
export default function FarmSettingsPage() {
  const { user } = useAuth();
  const mayChangeFarm = mayForFarm(user, 'changeFarm');
  const shown = SECTIONS.filter((section) => mayChangeFarm || OPEN_TO_ALL.includes(section));
  const [section, setSection] = useSearchParamChoice<Section>(
    'section',
    shown,
    mayChangeFarm ? 'farm' : 'people',
  );
  const farmId = farmIdOf(user);
  const update = useUpdateProfile();
  const farm = useQuery({ ...farmerQuery(farmId ?? ''), enabled: farmId !== undefined });
  const members = useQuery({ ...membersQuery(), enabled: section === 'alerts' });
  if (!user || farmId === undefined) return null;
  const profile = (sections: readonly FarmSection[]) =>
    mayChangeFarm && (
      <FarmProfileForm
        farmerId={farmId}
        sections={sections}
        pictureField={(field) => <OneImageUpload {...field} />}
        founderContact={
          <GeneralForm
            user={user}
            part="contact"
            onSave={async (changes) => (await update.mutateAsync(changes)).data}
          />
        }
      />
    );
  const parts: Record<Section, { label: string; content: ReactNode }> = {
    farm: {
      label: t('Farm'),
      content: (
        <div className="grid gap-6">
          {profile(['about', 'contact', 'pictures', 'links'])}
          {farm.data && (
            <CertificatePart
              certificate={farm.data.profile.certificate ?? null}
              timeZone={farm.data.profile.timeZone}
              pictureField={(field) => <OneImageUpload {...field} />}
            />
          )}
        </div>
      ),
    },
    days: {
      label: t('Days'),
      content: (
        <div className="grid gap-6">
          {profile(['hours'])}
          <SchedulePart
            me={user}
            timeZone={farm.data?.profile.timeZone}
            countAnswered={countAnsweredAtOnce}
          />
          <FarmCalendarPart />
        </div>
      ),
    },
    places: {
      label: t('Places'),
      content: (
        <div className="grid gap-6">
          {profile(['handoff'])}
          <PlacesPart
            me={user}
            farm={
              farm.data && {
                address: farm.data.farmer.address,
                businessHours: farm.data.profile.businessHours,
              }
            }
          />
        </div>
      ),
    },
    payment: {
      label: t('Payment'),
      content: (
        <div className="grid gap-6">
          <PaymentPart me={user} />
          {profile(['changes'])}
        </div>
      ),
    },
    people: { label: t('People'), content: <MembersPart me={user} /> },
    alerts: {
      label: t('Alerts'),
      content: (
        <AlertsPart
          me={user}
          people={(members.data ?? []).flatMap(({ user: person }) => person ?? [])}
          timeZone={farm.data?.profile.timeZone}
          pushSwitch={<PushSwitch />}
        />
      ),
    },
    notifications: {
      label: t('Notifications'),
      content: (
        <div className="max-w-3xl">
          <NotificationPreferences />
        </div>
      ),
    },
  };
  return (
    <div className="wrap py-6 sm:py-8">
      <PageHeader title={t('Farm settings')} text={t('How your farm works, and who works on it')} />
      <UnreachableMembers me={user} />
      <FarmClosingQuestion>
        <Tabs
          label={t('Farm settings')}
          value={section}
          onChange={(value) => setSection(shown.find((one) => one === value) ?? section)}
          tabs={shown.map((one) => ({ value: one, ...parts[one] }))}
        />
      </FarmClosingQuestion>
    </div>
  );
}
