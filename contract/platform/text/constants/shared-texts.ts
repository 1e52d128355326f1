import { type Message, msg } from '#contract/platform/text/constants/texts';

// Sentences of the server that the client writes too, where it has no answer.

export const SIGN_IN_FIRST = msg('Please sign in to continue.');
export const NOT_ALLOWED = msg("Your account isn't allowed to do this.");

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
