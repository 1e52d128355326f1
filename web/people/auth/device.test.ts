// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { authApi, DEVICE_HEADER } from '#contract/people/auth/constants';
import { call } from '../../platform/api/api.ts';
import { fromThisDevice } from './commands.ts';
import { endSession } from './session.ts';

it('sends a UUID and no token with a call', async () => {
  const sent: Headers[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    return new Response('{"success":true}');
  });
  await call(authApi.login, {
    body: { email: 'ann@market.test', password: 'secret1' },
    ...fromThisDevice(),
  });
  vi.unstubAllGlobals();
  expect(sent[0]?.get('x-device-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent[0]?.get('authorization')).toBeNull();
});

it('keeps the id after signing out', () => {
  const before = fromThisDevice();
  endSession(new QueryClient());
  expect(fromThisDevice()).toEqual(before);
  expect(localStorage.getItem('device')).toBe(before.headers[DEVICE_HEADER]);
});
