import type { SecurityChange } from '../../../server/platform/events/event.ts';
import type { Definition } from '../engine/definition.ts';

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
  passwordReset: {
    title: 'Your password was set anew',
    body: 'It was set by the link we mailed you. You are signed out everywhere, and every other link has ended.',
  },
  emailVerified: {
    title: 'Your email is confirmed',
    body: 'Passkeys, the authenticator app, notifications on devices and invitations from before have ended, since anybody could have made them. Set them up again where you want them.',
  },
  emailChanged: {
    title: 'Your email was changed',
    body: 'You sign in with the new one from now on. Nothing else has changed.',
  },
  emailChangeUndone: {
    title: 'The change of your email was undone',
    body: 'You are signed out everywhere, and your password opens nothing any more. We mail you a link to set a new one.',
  },
  secondFactorRemoved: {
    title: 'Your second factor was removed',
    body: 'An admin removed your authenticator app, recovery codes and passkeys, as somebody asked for in your name. You are signed out everywhere, and your password alone signs you in. You can set them up again.',
  },
};

/** Says what a reset left as it was, so that nobody overlooks what somebody else added. */
const describeLeft = (left: readonly string[]): string =>
  left.length === 0
    ? 'Nothing but the new password signs in.'
    : `Still there: ${left.join(', ')}. Remove what you do not know.`;

/** Says what to do about a change that the owner knows nothing of. */
function adviceOf(change: SecurityChange, device: string): string {
  switch (change) {
    case 'emailVerified':
      return "If somebody else opened the account, set a new password with 'Forgot your password?'.";
    case 'emailChangeUndone':
      return '';
    case 'passwordReset':
      return `It was done with ${device}. If that wasn't you, somebody reads your mail: change its password first.`;
    case 'secondFactorRemoved':
      return "If you didn't ask for it, set a new password at once.";
    default:
      return `It was done with ${device}. If that wasn't you, change your password and sign out all other devices.`;
  }
}

/**
 * Notifies the owner of an account how its protection changed. Always by mail, at once and whether or not it was read:
 * who holds a stolen device could read it away.
 */
export const accountSecurity: Definition<'account.security'> = {
  kind: 'account.security',
  reach: 'account',
  action: 'See sign-in and security',
  isUrgent: true,
  reactions: {
    'account.securityChanged': ({ id, data: { _id, change, device, isAdmin, left } }) => {
      const { title, body } = texts[change];
      return [
        {
          do: 'notify',
          userId: _id,
          kind: 'account.security',
          key: `account.security:${id}`,
          title,
          body: [body, left && describeLeft(left), adviceOf(change, device)]
            .filter(Boolean)
            .join(' '),
          link: isAdmin ? '/admin/security' : '/profile',
        },
      ];
    },
  },
};
