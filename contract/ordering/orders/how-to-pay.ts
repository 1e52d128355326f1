import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order, PaymentMethod } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';

/** Whether an order is still to be paid, as far as the market knows. */
const isToPay = ({ status }: Pick<Order, 'status'>): boolean => OPEN_STATUSES.includes(status);

/** Returns whether the farm has to say how an order is paid. */
export const asksForDetails = (order: Pick<Order, 'status' | 'paymentMethod'>): boolean =>
  order.paymentMethod !== 'cash' && isToPay(order);

/**
 * Returns how its customer pays an order, or nothing once there is nothing to pay, or `isPast` says that the day is over
 * on which it was to be paid in cash. While the farm asks about it, its
 * total may still change. `hasDetails` says that the farm's own words follow, and `where` they are read: a page has
 * messages to the farm below.
 */
export function howToPay(
  order: Order,
  {
    hasDetails = false,
    isPast = false,
    where,
  }: { hasDetails?: boolean; isPast?: boolean; where: 'page' | 'mail' },
): string | undefined {
  if (!isToPay(order) || (isPast && order.paymentMethod === 'cash')) return undefined;
  const amount = formatExpected(order.totalAmount, !order.isTotalFinal);
  const farm = farmNameOf(order.farmer);
  if (order.openChange && order.paymentMethod !== 'cash') {
    return t("Wait with paying until you've answered {farm}: the total may change.", { farm });
  }
  const sentences: Record<PaymentMethod, () => string> = {
    cash: () =>
      order.pickupDetails
        ? t('Bring {amount} in cash when you pick it up.', { amount })
        : t('Have {amount} in cash ready when it arrives.', { amount }),
    bank_transfer: () =>
      [
        order.isTotalFinal
          ? t('Pay {amount} by bank transfer with the reference #{shortId}.', {
              amount,
              shortId: shortId(order._id),
            })
          : t('Pay by bank transfer with the reference #{shortId} once it is weighed: {amount}.', {
              shortId: shortId(order._id),
              amount,
            }),
        hasDetails
          ? t('{farm} gives this account:', { farm })
          : t(
              '{where, select, page {Ask {farm} below for the account.} other {Ask {farm} for the account.}}',
              { where, farm },
            ),
      ].join(' '),
    other: () =>
      hasDetails
        ? t('How you can pay the {amount}, in the words of {farm}:', { amount, farm })
        : t(
            "{where, select, page {Agree with {farm} how you''ll pay the {amount}: write to them below.} other {Agree with {farm} how you''ll pay the {amount}.}}",
            { where, farm, amount },
          ),
  };
  return sentences[order.paymentMethod]();
}
