import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { signInHref, signInState, useReturnPath } from '../lib/return-path.ts';

/** A link from one page of the sign-in to another, which leads back to the same place afterwards. */
export function OtherSignInLink({
  page,
  children,
}: {
  page: '/login' | '/register';
  children: ReactNode;
}) {
  const next = useReturnPath();
  const [, navigate] = useLocation();
  return (
    <Link
      // The address is for a new tab; in this one the history entry says where to return.
      href={signInHref(page, next)}
      onClick={(event) => {
        event.preventDefault();
        navigate(page, { state: signInState(next) });
      }}
      className="link"
    >
      {children}
    </Link>
  );
}
