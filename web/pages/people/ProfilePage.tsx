import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { FarmProfileForm, type FarmSection } from '../../farm/farmers/FarmProfileForm.tsx';
import { OwnInvitations } from '../../farm/members/OwnInvitations.tsx';
import { membersQuery } from '../../farm/members/queries.ts';
import { calendarKeys, farmCalendarQuery } from '../../ordering/calendar/queries.ts';
import { AddressesCard } from '../../people/addresses/AddressesCard.tsx';
import { useUpdateProfile } from '../../people/auth/commands.ts';
import { ConfirmEmail, UnreachableEmail } from '../../people/auth/security/AccountEmail.tsx';
import { AccountSecurity } from '../../people/auth/security/AccountSecurity.tsx';
import { NotificationPreferences } from '../../people/notifications/NotificationPreferences.tsx';
import { GeneralForm } from '../../people/users/GeneralForm.tsx';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Tabs } from '../../platform/ui/lists/Tabs.tsx';
import { Card, PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { OneImageUpload } from '../../platform/uploads/ImageUpload.tsx';
import { YourData } from './YourData.tsx';

const TABS = ['general', 'farm'] as const;
/** All that the farm's profile has; the founder's phone and address are beside it. */
const FARM_SECTIONS: readonly FarmSection[] = [
  ...(['about', 'pictures', 'links', 'hours', 'handoff', 'changes'] as const),
];

/** The user's own profile, and a farmer's farm profile. The open tab is kept in the URL. */
export default function ProfilePage() {
  const { user } = useAuth();
  const update = useUpdateProfile();
  const [path] = useLocation();
  const farmId = farmIdOf(user);
  const mayChangeFarm = mayForFarm(user, 'changeFarm');
  const [tab, setTab] = useSearchParamChoice(
    'tab',
    TABS,
    mayChangeFarm && path === '/farmer/profile' ? 'farm' : 'general',
  );
  const isOwner = mayForFarm(user, 'closeFarm');
  const staff = useQuery({ ...membersQuery(), enabled: isOwner });
  const cache = useQueryClient();
  const calendar = useQuery({ ...farmCalendarQuery(), enabled: farmId !== undefined });
  const renewable = {
    onRenewed: () => void cache.invalidateQueries({ queryKey: calendarKeys.all }),
  };
  if (!user) return null;
  const general = (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <UnreachableEmail />
      {user.isEmailVerified === false && !user.isEmailUnreachable && (
        <ConfirmEmail email={user.email} kind="info" />
      )}
      <OwnInvitations me={user} />
      <Card as="section">
        <GeneralForm
          user={user}
          onSave={async (changes) => (await update.mutateAsync(changes)).data}
        />
      </Card>
      {user.role === 'consumer' && <AddressesCard />}
      <NotificationPreferences />
      <AccountSecurity email={user.email} calendar={calendar.data?.url ? renewable : undefined} />
      <YourData user={user} staff={isOwner ? staff.data : null} />
    </div>
  );
  return (
    <div className="wrap py-6 sm:py-8">
      <PageHeader title={t('Profile')} text={t('Your details')} />
      <Tabs
        label={t('Profile')}
        value={mayChangeFarm ? tab : 'general'}
        onChange={(value) => setTab(TABS.find((one) => one === value) ?? 'general')}
        tabs={[
          { value: 'general', label: t('General Information'), content: general },
          ...(farmId !== undefined && mayChangeFarm
            ? [
                {
                  value: 'farm',
                  label: t('Farm Profile'),
                  content: (
                    <FarmProfileForm
                      farmerId={farmId}
                      sections={FARM_SECTIONS}
                      pictureField={(field) => <OneImageUpload {...field} />}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}
