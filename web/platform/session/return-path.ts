import { useLocation, useSearch } from 'wouter';
import { withoutLanguage } from '../format/address.ts';

/** Any origin: only used to parse a path as the browser would. */
const BASE = 'http://farmgate.invalid';
const MAX_LENGTH = 2000;
/** Backslashes count as slashes in addresses, and control characters are skipped by parsers. */
const FORBIDDEN = /[\\\p{Cc}\p{Zl}\p{Zp}]/u;
/** Pages for people who are not signed in: returning there would lead nowhere. */
const SIGN_IN_PAGE =
  /^(\/[a-z]{2,3}(-\w+)?)?\/(login|register|forgot-password|reset-password)\/*$/i;

/**
 * Returns a path of this site (with its query and hash) that is safe to open after the sign-in, or null
 * if the value is anything else: another site's address, a scheme, or a page of the sign-in itself.
 */
export function safeReturnPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  if (!value.startsWith('/') || FORBIDDEN.test(value)) return null;
  let url: URL;
  try {
    url = new URL(value, BASE);
  } catch {
    return null;
  }
  // '//host' names another site, also when it only appears once dots are resolved: '/.//host'.
  if (url.origin !== BASE || url.pathname.startsWith('//')) return null;
  const path = withoutLanguage(url.pathname);
  return SIGN_IN_PAGE.test(path) ? null : path + url.search + url.hash;
}

/** The pages of the sign-in that lead back to where one was. */
type SignInPage = '/login' | '/register' | '/forgot-password';

/** Returns the address of a page of the sign-in that leads back to `next` afterwards. */
export function signInHref(page: SignInPage, next: string | null): string {
  const path = safeReturnPath(next);
  return path === null ? page : `${page}?${new URLSearchParams({ next: path })}`;
}

/** Returns the path that a sign-in on the current page leads to, or null for the home page of the role. */
export function useReturnPath(): string | null {
  return safeReturnPath(new URLSearchParams(useSearch()).get('next'));
}

/** Returns a function that opens the sign-in, which then leads back to the current page, or to `next`. */
export function useSignIn(): (next?: string) => void {
  const [, navigate] = useLocation();
  return (next) => {
    const { pathname, search, hash } = window.location;
    navigate(signInHref('/login', next ?? pathname + search + hash));
  };
}
