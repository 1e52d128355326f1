import { Link, useSearchParams } from 'wouter';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button, LinkButton } from '../ui/primitives/Button.tsx';
import { ErrorAlert } from '../ui/primitives/ErrorAlert.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { useVerifyEmail } from './account-commands.ts';
import { IncompleteLink } from './IncompleteLink.tsx';
import { useAuth } from './use-auth.ts';

/**
 * Verifies an email with the token in the URL of a mailed link. It waits for a press: programs that open the links
 * of a mail before its reader does would verify the address of somebody who never asked for it.
 */
export default function VerifyEmailPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { user } = useAuth();
  const verify = useVerifyEmail();
  const another = user ? (
    <Link href="/profile" className="link inline-block py-0.5">
      Send another link from your profile
    </Link>
  ) : (
    <Link href="/login" className="link inline-block py-0.5">
      Sign in to send another link
    </Link>
  );
  if (verify.isSuccess) {
    return (
      <AuthFrame title="Your email is confirmed" foot={null}>
        <Alert kind="success">Thank you. You can go on where you left off.</Alert>
        <LinkButton href={user ? '/' : '/login'} size="lg">
          {user ? 'Go on' : 'Sign in'}
        </LinkButton>
      </AuthFrame>
    );
  }
  if (token === '') return <IncompleteLink another={another} />;
  return (
    <AuthFrame
      title="Confirm your email"
      text="Then farms and customers know that they can reach you."
      foot={<>Did the link expire? {another}</>}
    >
      <ErrorAlert error={verify.error} />
      <Button
        size="lg"
        pending={verify.isPending}
        pendingLabel="Confirming..."
        onClick={() => verify.mutate({ token })}
      >
        Confirm my email
      </Button>
    </AuthFrame>
  );
}
