import { AccountSecurity } from '../auth/AccountSecurity.tsx';
import { useUpdateProfile } from '../auth/commands.ts';
import { YourData } from '../auth/YourData.tsx';
import { NotificationPreferences } from '../notifications/NotificationPreferences.tsx';
import { useAuth } from '../platform/session/use-auth.ts';
import { Card, CardHeader } from '../platform/ui/primitives/Card.tsx';
import { GeneralForm } from '../users/GeneralForm.tsx';
import { AdminFrame } from './AdminFrame.tsx';

/**
 * An admin's own name, password, second factor and sessions, what reaches them, and their data: admins have no profile
 * page.
 */
export default function AdminSecurityPage() {
  const { user } = useAuth();
  const update = useUpdateProfile();
  if (!user) return null;
  return (
    <AdminFrame title="Your account">
      <div className="grid max-w-3xl gap-6">
        <AccountSecurity email={user.email} isSecondFactorAsked />
        <Card as="section" aria-labelledby="general">
          <CardHeader id="general" title="General information" />
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
