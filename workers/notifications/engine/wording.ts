export { formatExpected, formatMoney as money } from '#contract/platform/money/constants';

const EXCERPT_MAX = 140;
const NAME_MAX = 60;

/** Line breaks and controls. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu;
/**
 * Invisible characters: bidi controls, which reorder the text around them, zero-width spaces, fillers,
 * tags. Joiners and variation selectors stay, since many scripts and emoji need them.
 */
const INVISIBLE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Returns user-written text on one line, without characters that hide or reorder text. */
export const singleLine = (text: string): string =>
  text.replace(INVISIBLE, '').replace(BREAKS, ' ').replace(/\s+/g, ' ').trim();

/** Returns the start of a text on one line, at most `max` characters. */
export function excerpt(text: string, max = EXCERPT_MAX): string {
  const line = singleLine(text);
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** Returns the name of a person, a farm or a product for a sentence; `otherwise` if it is blank. */
export function nameInText(name: string, otherwise = 'Someone'): string {
  const line = excerpt(name, NAME_MAX);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : otherwise;
}

/**
 * Returns a greeting by name. Somebody else may have registered this address with a name of their
 * choice, so anything but a plain name, such as a link, is omitted.
 */
export function greeting(name: string): string {
  const line = singleLine(name);
  const isPlain =
    line.length <= NAME_MAX &&
    /^\p{L}(?:[\p{L}\p{M} .'’-]|\u200c|\u200d)*$/u.test(line) &&
    !/\.\p{L}/u.test(line);
  return isPlain ? `Hello ${line},` : 'Hello,';
}

/** Returns a count with its noun: `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns a reason to append to a sentence, or an empty string. */
export const because = (reason: string | undefined): string =>
  reason ? ` Reason: ${excerpt(reason)}` : '';
