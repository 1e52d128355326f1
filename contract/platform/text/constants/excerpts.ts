import { t } from '#contract/platform/text/constants/texts';

// What people wrote, as it stands in sentences.

const EXCERPT_MAX = 140;
export const NAME_MAX = 60;

/** Line breaks and controls. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu;
/**
 * Invisible characters: bidi controls, which reorder the text around them, zero-width spaces, fillers,
 * tags. Joiners and variation selectors stay, since many scripts and emoji need them.
 */
const INVISIBLE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Returns a text on one line. */
export const onOneLine = (text: string): string => text.replace(BREAKS, ' ').trim();

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
export function nameInText(name: string, otherwise = t('Someone')): string {
  const line = excerpt(name, NAME_MAX);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : otherwise;
}
