import { Card } from '../ui/primitives/Card.tsx';
import { AccountEmail } from './AccountEmail.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactors } from './SecondFactors.tsx';
import { Sessions } from './Sessions.tsx';

/** The email and the password, what protects the account beside it, and where the user is signed in. */
export function AccountSecurity({
  email,
  isSecondFactorAsked = false,
}: {
  email: string;
  /** Whether to ask for a second factor, as admins are. */
  isSecondFactorAsked?: boolean;
}) {
  return (
    <Card as="section" aria-labelledby="security" className="grid gap-6">
      <h2 id="security" className="text-lg font-semibold">
        Sign-in and security
      </h2>
      <AccountEmail email={email} />
      <PasswordForm email={email} />
      <SecondFactors isAsked={isSecondFactorAsked} />
      <Sessions />
    </Card>
  );
}
