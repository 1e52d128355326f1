import { useState } from 'react';
import { Link } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { peekSavedGoods } from '../../ordering/cart/saved-goods.ts';
import { AuthFrame, OtherSignInLink } from '../../people/auth/AuthFrame.tsx';
import { SignInForm } from '../../people/auth/SignInForm.tsx';
import { rich } from '../../platform/format/rich.tsx';
import { signInHref, useReturnPath } from '../../platform/session/return-path.ts';

/** The sign-in page. The route's guard redirects to where the person was, or their role's home page. */
export default function LoginPage() {
  const [kept] = useState(() => peekSavedGoods());
  const next = useReturnPath();
  const [isCode, setIsCode] = useState(false);
  return (
    <AuthFrame
      title={t('Welcome back')}
      text={
        isCode
          ? t('One more step: enter the code that your authenticator app shows.')
          : kept.length > 0
            ? askForKept(kept)
            : t('Sign in to order, follow your orders and message farmers.')
      }
      foot={rich('New here? <a>Register</a>', {
        a: (words) => <OtherSignInLink page="/register">{words}</OtherSignInLink>,
      })}
    >
      <SignInForm
        onStep={setIsCode}
        forgotten={
          <Link
            href={signInHref('/forgot-password', next)}
            className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
          >
            {t('Forgot your password?')}
          </Link>
        }
      />
    </AuthFrame>
  );
}

/** Asks to sign in for the goods that are kept: 'Sign in, and Plums will be in your cart.' */
function askForKept(kept: readonly { goods: { name: string } }[]): string {
  const [first] = kept;
  return kept.length === 1 && first
    ? t('Sign in, and {product} will be in your cart.', { product: first.goods.name })
    : t('Sign in, and what you chose will be in your cart.');
}
