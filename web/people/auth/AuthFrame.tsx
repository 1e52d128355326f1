import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { signInHref, useReturnPath } from '../../platform/session/return-path.ts';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';

/** The layout of the sign-in, registration and password pages. */
export function AuthFrame({
  title,
  text,
  children,
  foot,
}: {
  title: string;
  text?: ReactNode;
  children: ReactNode;
  /** Links to related pages. */
  foot: ReactNode;
}) {
  return (
    <div className="wrap py-8 sm:py-14">
      <div className="mx-auto grid max-w-md overflow-hidden rounded border border-hairline bg-surface lg:max-w-5xl lg:grid-cols-[1fr_26rem]">
        <div className="grid content-center gap-6 px-5 py-8 sm:px-10 sm:py-12">
          <header className="grid gap-2">
            <h1 className="text-2xl">{title}</h1>
            {text && <p className="text-ink-soft">{text}</p>}
          </header>
          {children}
          <div className="text-sm text-ink-soft [&_a]:inline-flex [&_a]:items-center pointer-coarse:[&_a]:min-h-11">
            {foot}
          </div>
        </div>
        <div className="relative hidden min-h-full lg:block">
          <FarmLandscape
            name="Morning at the gate"
            className="absolute inset-0 aspect-auto h-full"
          />
        </div>
      </div>
    </div>
  );
}

/** A link from one page of the sign-in to another, which leads back to the same place afterwards. */
export function OtherSignInLink({
  page,
  children,
}: {
  page: '/login' | '/register';
  children: ReactNode;
}) {
  return (
    <Link href={signInHref(page, useReturnPath())} className="link inline-block py-0.5">
      {children}
    </Link>
  );
}

/** Stands in for a page that a mailed link opens, where the link's token is missing. `another` leads to a new link. */
export function IncompleteLink({ another }: { another: ReactNode }) {
  return (
    <AuthFrame title={t('This link is incomplete')} foot={another}>
      <Alert kind="error">{t('Open the whole link in the email again.')}</Alert>
    </AuthFrame>
  );
}
