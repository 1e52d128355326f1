import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import {
  formatQuantity,
  fromMilli,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import { AppError, conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import { openChange } from '../changes/service.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { isFinalLine, type LineRow } from '../model/present-lines.ts';
import type { WeightRefusal } from './decide-weight.ts';

/** Returns the answer to a weight that is not taken. A conflict of two people brings the order as it is now. */
export function weightRefusal(
  refusal: WeightRefusal,
  order: OrderRow,
  packedMilli: number,
): AppError {
  switch (refusal.code) {
    case 'NOT_FOUND':
      return notFound('Line not found');
    case 'ORDER_NOT_OPEN':
      return conflict('ORDER_NOT_OPEN', notOpen(refusal.status));
    case 'LINE_REMOVED':
      return conflict('LINE_REMOVED', `${refusal.line.name} was taken out of this order.`);
    case 'NOT_BY_WEIGHT':
      return conflict(
        'NOT_BY_WEIGHT',
        `${refusal.line.name} is not sold by weight, so there is nothing to weigh.`,
      );
    case 'OPEN_CHANGE':
      return openChange(order);
    case 'TOO_LATE_TO_ASK':
      return conflict(
        'HANDOVER_BEGUN',
        'The handover has begun, so it is too late to ask the customer. Charge up to the limit, or pack a lighter one.',
      );
    case 'WEIGHED_MEANWHILE':
      return new AppError(409, 'VERSION_CONFLICT', weighedMeanwhile(refusal.line, packedMilli), {
        data: presentOrder(order),
      });
    case 'SLIP':
      return invalidField(
        'packed',
        `${weight(packedMilli, refusal.line)} for ${counted(refusal.line)}? The price would be ${formatMoney(fromMinor(refusal.costMinor))}. Check the decimal point and the unit.`,
      );
    case 'COSTS_NOTHING':
      return invalidField('packed', 'So little would cost nothing. Check the weight.');
    case 'TOTAL_TOO_LARGE':
      return invalidField('packed', "That's over the limit for one order. Check the weight.");
  }
}

function notOpen(status: OrderStatus): string {
  return status === 'pending'
    ? 'This order is still pending. Accept it first, then weigh it.'
    : `This order is ${status}, so its weights stay as they are.`;
}

const weight = (milli: number, { unit }: LineRow): string => formatQuantity(fromMilli(milli), unit);

/** '3 × Chicken', or '2 kg of Carrots' of what is not sold by the piece. */
const counted = ({ name, unit, quantityMilli, pieceMilli }: LineRow): string =>
  pieceMilli === null
    ? `${formatQuantity(fromMilli(quantityMilli), unit)} of ${name}`
    : `${quantityMilli / MILLI} × ${name}`;

function weighedMeanwhile(line: LineRow, packedMilli: number): string {
  const entered = weight(packedMilli, line);
  return line.packedMilli === null
    ? `The weight of ${line.name} was taken back meanwhile; you entered ${entered}.`
    : `Someone else weighed ${line.name} meanwhile: ${weight(line.packedMilli, line)}. You entered ${entered}.`;
}

/** 409: an order cannot be completed while something in it is not weighed; with the order as it is. */
export function unweighed(order: OrderRow): AppError {
  const names = [...new Set(order.lines.filter((line) => !isFinalLine(line)).map(nameOf))];
  return new AppError(
    409,
    'UNWEIGHED',
    `Not weighed yet: ${names.join(', ')}. Weigh it first, or complete the order with the estimated price.`,
    { data: presentOrder(order) },
  );
}

const nameOf = ({ name }: LineRow): string => name;
