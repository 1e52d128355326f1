import type { SecurityChange } from '../../server/events/event.ts';
import type { Definition } from './definition.ts';

const texts: Record<SecurityChange, { title: string; body: string }> = {
  appTurnedOn: {
    title: 'Your authenticator app is on',
    body: 'Signing in with your password now asks for a code too.',
  },
  appTurnedOff: {
    title: 'Your authenticator app was turned off',
    body: 'Signing in with your password asks for no code any more.',
  },
  recoveryCodesMade: {
    title: 'You have new recovery codes',
    body: "The earlier ones don't work any more.",
  },
  recoveryCodeUsed: {
    title: 'A recovery code was used',
    body: "It doesn't work again. You can make new ones where you change your password.",
  },
  passkeyAdded: {
    title: 'A passkey was added to your account',
    body: 'It signs in without your password.',
  },
  passkeyRemoved: {
    title: 'A passkey was removed from your account',
    body: "It doesn't sign in any more.",
  },
  secondFactorRemoved: {
    title: 'Your second factor was removed',
    body: 'An admin removed your authenticator app, recovery codes and passkeys, as somebody asked for in your name. You are signed out everywhere, and your password alone signs you in. You can set them up again.',
  },
};

/**
 * Notifies the owner of an account how its protection changed. Always by mail, at once and whether or not it was read:
 * whoever holds a stolen device could read it away.
 */
export const accountSecurity: Definition<'account.security'> = {
  kind: 'account.security',
  action: 'See sign-in and security',
  subject: ({ title }) => title,
  isUrgent: true,
  reactions: {
    'account.securityChanged': ({ id, data: { _id, change, device, isAdmin } }) => {
      const { title, body } = texts[change];
      const isByAdmin = change === 'secondFactorRemoved';
      const ifSomebodyElse = isByAdmin
        ? "If you didn't ask for it, set a new password at once."
        : `It was done with ${device}. If that wasn't you, change your password and sign out all other devices.`;
      return [
        {
          do: 'notify',
          userId: _id,
          kind: 'account.security',
          key: `account.security:${id}`,
          title,
          body: `${body} ${ifSomebodyElse}`,
          link: isAdmin ? '/admin/security' : '/profile',
        },
      ];
    },
  },
};
