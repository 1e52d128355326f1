import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { useUpdateProfile } from '../../people/auth/commands.ts';
import { UnreachableEmail } from '../../people/auth/security/AccountEmail.tsx';
import { AccountSecurity } from '../../people/auth/security/AccountSecurity.tsx';
import { NotificationPreferences } from '../../people/notifications/NotificationPreferences.tsx';
import { GeneralForm } from '../../people/users/GeneralForm.tsx';
import { useAuth } from '../../platform/session/session.ts';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { YourData } from '../people/YourData.tsx';

/**
 * An admin's own name, password, second factor and sessions, what reaches them, and their data: admins have no profile
 * page.
 */
export default function AdminSecurityPage() {
  const { user } = useAuth();
  const update = useUpdateProfile();
  if (!user) return null;
  return (
    <AdminFrame title={t('Your account')}>
      <div className="grid max-w-3xl gap-6">
        <UnreachableEmail />
        <AccountSecurity email={user.email} isSecondFactorAsked />
        <Card as="section" aria-labelledby="general">
          <CardHeader id="general" title={t('General information')} />
          <GeneralForm
            user={user}
            onSave={async (changes) => (await update.mutateAsync(changes)).data}
          />
        </Card>
        <NotificationPreferences />
        <YourData user={user} staff={null} />
      </div>
    </AdminFrame>
  );
}
