import type { Order } from '#contract/orders';

export { formatMoney as money } from '#contract/constants/money';

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

/** A text that others wrote, on one line and without characters that hide or reorder text. */
export const singleLine = (text: string): string =>
  text.replace(INVISIBLE, '').replace(BREAKS, ' ').replace(/\s+/g, ' ').trim();

/** The beginning of a longer text, on one line. */
export function excerpt(text: string, max = EXCERPT_MAX): string {
  const line = singleLine(text);
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** The name of a person, a farm or a product within a sentence. */
export function nameInText(name: string, otherwise = 'Somebody'): string {
  const line = excerpt(name, NAME_MAX);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : otherwise;
}

/**
 * Greets by name. A mail can reach somebody who never gave us their address, with a name that a
 * stranger chose: what is no plain name, such as a link, is left out.
 */
export function greeting(name: string): string {
  const line = singleLine(name);
  const isPlain =
    line.length <= NAME_MAX &&
    /^\p{L}(?:[\p{L}\p{M} .'’-]|\u200c|\u200d)*$/u.test(line) &&
    !/\.\p{L}/u.test(line);
  return isPlain ? `Hello ${line},` : 'Hello,';
}

/** An order as people name it: the first 8 characters of its id. */
export const orderName = (order: Pick<Order, '_id'>): string => `#${order._id.slice(0, 8)}`;

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The page of an order. */
export const orderLink = (order: Pick<Order, '_id'>): string => `/orders/${order._id}`;

/** A reason as it follows a sentence, or nothing. */
export const because = (reason: string | undefined): string =>
  reason ? ` Reason: ${excerpt(reason)}` : '';
