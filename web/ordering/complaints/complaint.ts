import type { OrderLine } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { onOneLine } from '#contract/platform/text/constants/excerpts';
import { cleanText } from '#contract/platform/text/constants/text';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { DAY_MS } from '#contract/platform/time/constants';

// What was wrong with an order after its handover: a message to its farm, and nothing else.

/** For how many days after its completion a customer is asked whether anything was wrong. */
const COMPLAINT_DAYS = 14;

/** What can be wrong with a line; `other` is said in words. */
export const LINE_FAULTS = ['missing', 'damaged', 'different', 'less', 'other'] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

export const FAULT_WORDS: Record<LineFault, Message> = {
  missing: msg('It was missing'),
  damaged: msg('It was damaged'),
  different: msg('It was not as described'),
  less: msg('It was too little'),
  other: msg('Something else'),
};

/** What a customer says of a line that they ticked; without a fault until they have chosen. */
export interface FaultyLine {
  fault: LineFault | '';
  words: string;
}

/** Returns whether a customer is asked whether anything was wrong with an order. */
export function isComplaintTime({ status, timeline }: Order, now: number): boolean {
  const completed = timeline.findLast(
    (entry) => entry.kind === 'status' && entry.status === 'completed',
  );
  return (
    status === 'completed' &&
    completed !== undefined &&
    now < Date.parse(completed.at) + COMPLAINT_DAYS * DAY_MS
  );
}

/** Returns what is missing of what a customer says of a line, as a message for the field that it belongs to. */
export function problemOf({ fault, words }: FaultyLine): { fault?: string; words?: string } {
  if (fault === '') return { fault: t('Choose what was wrong.') };
  return fault === 'other' && words.trim() === '' ? { words: t('Say what was wrong.') } : {};
}

/** Returns the message to the farm; empty while nothing is said. `faulty` is by the ids of lines. */
export function complaintText(
  order: Pick<Order, '_id' | 'items'>,
  faulty: ReadonlyMap<string, FaultyLine>,
  more: string,
): string {
  const lines = order.items.flatMap((line) => {
    const said = faulty.get(line._id);
    return said && said.fault !== '' ? [lineText(line, said)] : [];
  });
  if (lines.length === 0 && more.trim() === '') return '';
  const head = t('Something was wrong with my order #{order}:', { order: shortId(order._id) });
  // As the server keeps it, so that it is sent as it is shown.
  return cleanText([head, ...lines, more.trim()].filter(Boolean).join('\n'));
}

function lineText(line: OrderLine, { fault, words }: FaultyLine): string {
  const said = onOneLine(words);
  const values = { goods: formatLine(line), fault };
  return said === ''
    ? t(
        '{fault, select, missing {• {goods}: missing} damaged {• {goods}: damaged} different {• {goods}: not as described} less {• {goods}: too little} other {• {goods}}}',
        values,
      )
    : t(
        '{fault, select, missing {• {goods}: missing. {said}} damaged {• {goods}: damaged. {said}} different {• {goods}: not as described. {said}} less {• {goods}: too little. {said}} other {• {goods}: {said}}}',
        { ...values, said },
      );
}
