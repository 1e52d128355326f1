import { Card } from '../../../platform/ui/primitives/sections.tsx';
import { type OwnCalendar, PasswordForm } from '../PasswordForm.tsx';
import { AccountEmail } from './AccountEmail.tsx';
import { SecondFactors } from './SecondFactors.tsx';
import { Sessions } from './Sessions.tsx';

/** The email and the password, what protects the account beside it, and where the user is signed in. */
export function AccountSecurity({
  email,
  calendar,
  isSecondFactorAsked = false,
}: {
  email: string;
  /** Where the user has a private calendar, whose address can be renewed along. */
  calendar?: OwnCalendar | undefined;
  /** Whether to ask for a second factor, as admins are. */
  isSecondFactorAsked?: boolean;
}) {
  return (
    <Card as="section" aria-labelledby="security" className="grid gap-6">
      <h2 id="security" className="text-lg font-semibold">
        Sign-in and security
      </h2>
      <AccountEmail email={email} />
      <PasswordForm email={email} calendar={calendar} />
      <SecondFactors isAsked={isSecondFactorAsked} />
      <Sessions calendar={calendar} />
    </Card>
  );
}
