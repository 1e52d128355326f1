import { theReader } from '#contract/platform/text/constants/reader';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';

// Sentences of the server that the client writes too, where it has no answer.

export const SIGN_IN_FIRST = msg('Please sign in to continue.');
export const NOT_ALLOWED = msg("Your account isn't allowed to do this.");

/** The name of all deleted accounts, in the database and on the wire. */
export const DELETED_USER_NAME = 'Deleted user';

/** Returns somebody's name for the present reader. */
export const shownName = (name: string): string =>
  name === DELETED_USER_NAME ? t('Deleted user') : name;

const DELETED = new RegExp(`("(?:name|targetName)":)"${DELETED_USER_NAME}"`, 'g');

/** Returns an answer or an event, as JSON, with the name of deleted accounts in words of the present reader. */
export const withShownNames = (json: string): string =>
  theReader().language === 'en'
    ? json
    : json.replace(
        DELETED,
        (_, key: string) => `${key}${JSON.stringify(shownName(DELETED_USER_NAME))}`,
      );

/**
 * Returns what is said when there were too many calls; `waitSeconds` are left until the next one is taken,
 * undefined if unknown.
 */
export function tooManyTries(waitSeconds: number | undefined): Message {
  if (waitSeconds === undefined) return msg('Too many tries. Please wait a moment and try again.');
  const count = (unitSeconds: number) => Math.max(1, Math.ceil(waitSeconds / unitSeconds));
  if (waitSeconds < 60)
    return msg('Too many tries. Try again in {count, plural, one {# second} other {# seconds}}.', {
      count: count(1),
    });
  if (waitSeconds < 3600)
    return msg('Too many tries. Try again in {count, plural, one {# minute} other {# minutes}}.', {
      count: count(60),
    });
  return msg('Too many tries. Try again in {count, plural, one {# hour} other {# hours}}.', {
    count: count(3600),
  });
}
