import { useState } from 'react';
import { Link } from 'wouter';
import { peekSavedGoods } from '../../ordering/cart/saved-goods.ts';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { SignInForm } from '../../people/auth/SignInForm.tsx';
import { signInHref, useReturnPath } from '../../platform/session/return-path.ts';

/** The sign-in page. The route's guard redirects to where the person was, or their role's home page. */
export default function LoginPage() {
  const [kept] = useState(() => peekSavedGoods());
  const next = useReturnPath();
  const [isCode, setIsCode] = useState(false);
  return (
    <AuthFrame
      title="Welcome back"
      text={
        isCode
          ? 'One more step: enter the code that your authenticator app shows.'
          : kept.length > 0
            ? `Sign in, and ${describeKept(kept)} in your cart.`
            : 'Sign in to order, follow your orders and message farmers.'
      }
      foot={
        <>
          New here? <OtherSignInLink page="/register">Register</OtherSignInLink>
        </>
      }
    >
      <SignInForm
        onStep={setIsCode}
        forgotten={
          <Link
            href={signInHref('/forgot-password', next)}
            className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
          >
            Forgot your password?
          </Link>
        }
      />
    </AuthFrame>
  );
}

/** Returns what is going to happen with the kept goods: 'Plums will be'. */
function describeKept(kept: readonly { goods: { name: string } }[]): string {
  const [first] = kept;
  return kept.length === 1 && first ? `${first.goods.name} will be` : 'what you chose will be';
}
