import { msg } from '#contract/platform/text/constants/texts';
import type { Definition } from '../engine/definition.ts';

/**
 * Notifies the owner of an account how its protection changed. Always by mail, at once and whether or not it was read:
 * who holds a stolen device could read it away.
 */
export const accountSecurity: Definition<'account.security'> = {
  kind: 'account.security',
  reach: 'account',
  action: msg('See sign-in and security'),
  isUrgent: true,
  reactions: {
    'account.securityChanged': ({ id, data: { _id, change, device, isAdmin, left } }) => [
      {
        do: 'notify',
        userId: _id,
        kind: 'account.security',
        key: `account.security:${id}`,
        params: { change, device, left },
        link: isAdmin ? '/admin/security' : '/profile',
      },
    ],
  },
};
