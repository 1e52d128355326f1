import { expect, it } from 'vitest';
import type { SecurityChange } from '#contract/platform/session/constants';
import { presentPreferences } from '../../../server/people/notifications/present.ts';
import { withWords } from '../../testing/words.ts';
import { effectsOf } from '../definitions.ts';

const changed = (change: SecurityChange, isAdmin = false) =>
  withWords(
    effectsOf({
      seq: 1,
      id: '00000000-0000-4000-8000-0000000000a1',
      at: '2026-11-22T10:00:00.000Z',
      requestId: null,
      rooms: [],
      name: 'account.securityChanged',
      data: { _id: 'u', change, device: 'Firefox on Linux', isAdmin },
    }),
  );

it('notifies the owner of what changed, with what, and what to do if it was somebody else', () => {
  expect(changed('appTurnedOff')).toMatchObject([
    {
      do: 'notify',
      userId: 'u',
      key: 'account.security:00000000-0000-4000-8000-0000000000a1',
      title: 'Your authenticator app was turned off',
      body: expect.stringMatching(/Firefox on Linux.*change your password/),
      link: '/profile',
    },
  ]);
});

it('says that an admin removed it, with no device, and what to do if nobody asked', () => {
  const [effect] = changed('secondFactorRemoved');
  expect(effect).toMatchObject({ title: 'Your second factor was removed', link: '/profile' });
  const { body } = effect as { body: string };
  expect(body).toMatch(/^An admin removed .*set a new password at once\.$/);
  expect(body).not.toContain('done with');
});

it('leads admins to where theirs is', () => {
  expect(changed('passkeyAdded', true)).toMatchObject([{ link: '/admin/security' }]);
});

it('is mailed whatever was chosen', () => {
  const chosen = { 'account.security': { email: false, push: false } };
  expect(presentPreferences(chosen)['account.security']).toEqual({
    ...{ email: true, push: false, sms: false },
  });
});
