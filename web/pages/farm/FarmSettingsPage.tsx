import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { FarmProfileForm } from '../../farm/farmers/FarmProfileForm.tsx';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { MembersPart, UnreachableMembers } from '../../farm/members/MembersPart.tsx';
import { PlacesPart } from '../../farm/places/PlacesPart.tsx';
import { SchedulePart } from '../../farm/schedule/SchedulePart.tsx';
import { PaymentPart } from '../../money/payment/PaymentPart.tsx';
import { FarmCalendarPart } from '../../ordering/calendar/FarmCalendarPart.tsx';
import { countAnsweredAtOnce } from '../../ordering/model/answered-at-once.ts';
import { NotificationPreferences } from '../../people/notifications/NotificationPreferences.tsx';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Tabs } from '../../platform/ui/lists/Tabs.tsx';
import { Card, PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { OneImageUpload } from '../../platform/uploads/ImageUpload.tsx';
import { FarmClosingQuestion } from '../ordering/FarmClosingQuestion.tsx';

const SECTIONS = ['farm', 'days', 'places', 'people', 'notifications'] as const;
type Section = (typeof SECTIONS)[number];

/** How the farm works, a section for each part of it. The open section is kept in the URL. */
export default function FarmSettingsPage() {
  const { user } = useAuth();
  const mayChangeFarm = mayForFarm(user, 'changeFarm');
  const shown = SECTIONS.filter((section) => section !== 'farm' || mayChangeFarm);
  const [section, setSection] = useSearchParamChoice<Section>(
    'section',
    shown,
    mayChangeFarm ? 'farm' : 'people',
  );
  const farmId = farmIdOf(user);
  const farm = useQuery({ ...farmerQuery(farmId ?? ''), enabled: farmId !== undefined });
  if (!user || farmId === undefined) return null;
  const parts: Record<Section, { label: string; content: ReactNode }> = {
    farm: {
      label: t('Farm'),
      content: (
        <div className="grid gap-6">
          <Card as="section" className="max-w-3xl">
            <FarmProfileForm
              farmerId={farmId}
              pictureField={(field) => <OneImageUpload {...field} />}
            />
          </Card>
          <PaymentPart me={user} />
        </div>
      ),
    },
    days: {
      label: t('Days'),
      content: (
        <div className="grid gap-6">
          <SchedulePart
            me={user}
            timeZone={farm.data?.profile.timeZone}
            countAnswered={countAnsweredAtOnce}
          />
          <FarmCalendarPart />
        </div>
      ),
    },
    places: { label: t('Places'), content: <PlacesPart me={user} /> },
    people: { label: t('People'), content: <MembersPart me={user} /> },
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
