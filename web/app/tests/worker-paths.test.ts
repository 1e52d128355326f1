// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { workerPatterns } from '../../../vite.pages.ts';
import { routes } from '../routes.tsx';

const isServers = new RegExp(workerPatterns.servers);
const isShellAlone = new RegExp(workerPatterns.shellAlone);
const isPublic = new RegExp(workerPatterns.everybodys);

/** Public pages that nobody keeps: their addresses are secrets, or they hold nothing to read. */
const NOT_KEPT = [
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/invites/:token',
  '/setup',
  '*',
];

it.each(routes.map(({ path, guard }) => [path, guard] as const))(
  'treats %s in the service worker as its guard says',
  (path, guard) => {
    const address = path
      .replace('*', '/no/such/page')
      .replace(/:\w+/, 'c0ffee00-0000-4000-8000-000000000000');
    const isEverybodys = guard === 'public';
    const inUrdu = `/ur${address === '/' ? '' : address}`;
    expect(isShellAlone.test(inUrdu)).toBe(!isEverybodys);
    expect(isPublic.test(inUrdu)).toBe(isEverybodys && !NOT_KEPT.includes(path));
    expect(isServers.test(address)).toBe(false);
    expect(isShellAlone.test(address)).toBe(!isEverybodys);
    expect(isPublic.test(address)).toBe(isEverybodys && !NOT_KEPT.includes(path));
  },
);

it.each([
  '/api/docs',
  '/unsubscribe/secret',
  '/uploads/a.webp',
  '/admin/queues',
  '/admin/queues/queue/x',
  '/sitemap.xml',
])('leaves %s to the server', (path) => {
  expect(isServers.test(path)).toBe(true);
});
