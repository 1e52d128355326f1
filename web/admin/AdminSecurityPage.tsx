import { AccountSecurity } from '../auth/AccountSecurity.tsx';
import { useAuth } from '../auth/use-auth.ts';
import { AdminFrame } from './AdminFrame.tsx';

/** An admin's own password, second factor and sessions: admins have no profile page. */
export default function AdminSecurityPage() {
  const { user } = useAuth();
  if (!user) return null;
  return (
    <AdminFrame title="Your account">
      <div className="max-w-3xl">
        <AccountSecurity email={user.email} isSecondFactorAsked />
      </div>
    </AdminFrame>
  );
}
