import { useState } from 'react';
import { Link } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
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
      title={t('Welcome back')}
      text={
        isCode
          ? t('One more step: enter the code that your authenticator app shows.')
          : kept.length > 0
            ? t('Sign in, and {describeKept} in your cart.', { describeKept: describeKept(kept) })
            : t('Sign in to order, follow your orders and message farmers.')
      }
      foot={
        <>
          {t('New here?')} <OtherSignInLink page="/register">{t('Register')}</OtherSignInLink>
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
            {t('Forgot your password?')}
          </Link>
        }
      />
    </AuthFrame>
  );
}

/** Returns what is going to happen with the kept goods: 'Plums will be'. */
function describeKept(kept: readonly { goods: { name: string } }[]): string {
  const [first] = kept;
  return kept.length === 1 && first
    ? t('{name} will be', { name: first.goods.name })
    : 'what you chose will be';
}
