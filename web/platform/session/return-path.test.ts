import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnPath, signInHref } from './return-path.ts';

const ID = 'abcdef01-0000-4000-8000-00000000000a';
const SITE = 'https://farmgate.test';

describe('safeReturnPath', () => {
  it.each([
    '/',
    `/orders/${ID}`,
    '/products?search=plums&sort=price-asc#top',
    '/checkout',
    '/farmers/x?message=open',
    '/loginless',
  ])('keeps %s', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  it.each([
    '',
    'orders',
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    '/\t/evil.test',
    '/ok\u0000',
    '/ok\u2028',
    'https://evil.test',
    'javascript:alert(1)',
    '/login',
    '/LOGIN/',
    '/login?next=/login',
    '/a/../login',
    '/register#x',
    '/reset-password?token=x',
    `/${'a'.repeat(2000)}`,
  ])('refuses %j', (path) => {
    expect(safeReturnPath(path)).toBeNull();
  });

  it.each([null, undefined, 7, {}, ['/orders'], true])('refuses %j, which is no text', (value) => {
    expect(safeReturnPath(value)).toBeNull();
  });

  const pieces = fc.array(
    fc.constantFrom(
      ...['/', '//', '\\', '.', '..', ':', '@', '?', '#', '%2f', '%5c', '%2e', '\t', '\r', '\n'],
      ...['evil.test', 'https:', 'javascript:', 'login', 'register', 'orders', 'é', '\u202e', ' '],
    ),
    { maxLength: 8 },
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    pieces.map((parts) => parts.join('')),
    pieces.map((parts) => `/${parts.join('')}`),
  );

  it('never leaves the site, never leads to the sign-in, and is stable', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const path = safeReturnPath(text);
        if (path === null) return;
        const target = new URL(path, SITE);
        expect(target.origin).toBe(SITE);
        expect(path).toBe(target.pathname + target.search + target.hash);
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(target.pathname).not.toMatch(/^\/(login|register)\/?$/i);
        expect(safeReturnPath(path)).toBe(path);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps every plain path of the site', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const path = `/app-${segments.join('/')}`;
        expect(safeReturnPath(path)).toBe(path);
      }),
    );
  });
});

it('carries the path from page to page of the sign-in', () => {
  const path = '/orders?status=pending';
  const address = new URL(signInHref('/register', path), SITE);
  expect(address.pathname).toBe('/register');
  expect(safeReturnPath(address.searchParams.get('next'))).toBe(path);
  expect(signInHref('/login', 'https://evil.test')).toBe('/login');
  expect(signInHref('/login', null)).toBe('/login');
});
