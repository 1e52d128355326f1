import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { signInHref, useReturnPath } from '../../platform/session/return-path.ts';

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
