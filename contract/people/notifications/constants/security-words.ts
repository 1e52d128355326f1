import { sentences, type Words } from '#contract/people/notifications/constants/written';
import type { SecurityChange, StillThere } from '#contract/platform/session/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';

const WORDS: Record<SecurityChange, () => Words> = {
  appTurnedOn: () => ({
    title: t('Your authenticator app is on'),
    body: t('Signing in with your password now asks for a code too.'),
  }),
  appTurnedOff: () => ({
    title: t('Your authenticator app was turned off'),
    body: t('Signing in with your password asks for no code any more.'),
  }),
  recoveryCodesMade: () => ({
    title: t('You have new recovery codes'),
    body: t("The earlier ones don't work any more."),
  }),
  recoveryCodeUsed: () => ({
    title: t('A recovery code was used'),
    body: t("It doesn't work again. You can make new ones where you change your password."),
  }),
  passkeyAdded: () => ({
    title: t('A passkey was added to your account'),
    body: t('It signs in without your password.'),
  }),
  passkeyRemoved: () => ({
    title: t('A passkey was removed from your account'),
    body: t("It doesn't sign in any more."),
  }),
  passwordReset: () => ({
    title: t('Your password was set anew'),
    body: t(
      'It was set by the link we mailed you. You are signed out everywhere, and every other link has ended.',
    ),
  }),
  emailVerified: () => ({
    title: t('Your email is confirmed'),
    body: t(
      'Passkeys, the authenticator app, notifications on devices and invitations from before have ended, since anybody could have made them. Set them up again where you want them.',
    ),
  }),
  emailChanged: () => ({
    title: t('Your email was changed'),
    body: t('You sign in with the new one from now on. Nothing else has changed.'),
  }),
  emailChangeUndone: () => ({
    title: t('The change of your email was undone'),
    body: t(
      'You are signed out everywhere, and your password opens nothing any more. We mail you a link to set a new one.',
    ),
  }),
  secondFactorRemoved: () => ({
    title: t('Your second factor was removed'),
    body: t(
      'An admin removed your authenticator app, recovery codes and passkeys, as somebody asked for in your name. You are signed out everywhere, and your password alone signs you in. You can set them up again.',
    ),
  }),
};

/** Writes the name of a device, 'Firefox on Linux', as the reader's language does. */
function deviceInText(device: string): string {
  const [, program, system] = /^(.+) on (\w+)$/.exec(device) ?? [];
  if (!program || !system) return device === 'Another program' ? t('Another program') : device;
  return program === 'A program'
    ? t('A program on {system}', { system })
    : t('{browser} on {system}', { browser: program, system });
}

function stillThere(left: StillThere): string {
  if (typeof left === 'string') return left;
  switch (left.what) {
    case 'app':
      return t('your authenticator app');
    case 'codes':
      return t('{count, plural, one {# recovery code} other {# recovery codes}}', left);
    case 'passkey':
      return left.device
        ? t('the passkey of {device}', { device: deviceInText(left.device) })
        : t('the passkey of a device');
  }
}

/** Says what a reset left as it was, so that nobody overlooks what somebody else added. */
const leftInText = (left: readonly StillThere[]): string =>
  left.length === 0
    ? t('Nothing but the new password signs in.')
    : t('Still there: {things}. Remove what you do not know.', {
        things: listOf(left.map(stillThere), 'unit'),
      });

/** Says what to do about a change that the owner knows nothing of. */
function adviceOf(change: SecurityChange, device: string): string {
  switch (change) {
    case 'emailVerified':
      return t(
        "If somebody else opened the account, set a new password with 'Forgot your password?'.",
      );
    case 'emailChangeUndone':
      return '';
    case 'passwordReset':
      return t(
        "It was done with {device}. If that wasn't you, somebody reads your mail: change its password first.",
        { device: deviceInText(device) },
      );
    case 'secondFactorRemoved':
      return t("If you didn't ask for it, set a new password at once.");
    default:
      return t(
        "It was done with {device}. If that wasn't you, change your password and sign out all other devices.",
        { device: deviceInText(device) },
      );
  }
}

/** Says how the protection of an account changed. */
export function securityWords({
  change,
  device,
  left,
}: {
  change: SecurityChange;
  device: string;
  left?: readonly StillThere[] | undefined;
}): Words {
  const { title, body } = WORDS[change]();
  return { title, body: sentences(body, left && leftInText(left), adviceOf(change, device)) };
}
