import type { ReactNode } from 'react';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import {
  formatCounted,
  formatGoodsQuantity,
  nameWithSize,
  pricedUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { Money, UnitPrice } from '../../../platform/ui/primitives/Money.tsx';
import { expectedWeight, linesInOrder, orderedTotal } from '../../model/order-items.ts';
import { OrderTotal, Thumbnail } from '../../model/order-parts.tsx';

const wideOnly = 'hidden rows:table-cell';

/** What of a line says in what it is counted and priced. */
const goodsOf = ({ product: { unit, unitLabel }, size, net, price, pieceWeight }: OrderLine) => ({
  unit,
  unitLabel,
  size,
  net,
  price,
  pieceWeight,
});
const nameOf = ({ product, size }: OrderLine): string => nameWithSize(product.name, size);
const isGone = ({ state }: OrderLine): boolean => state === 'removed';

/** Formats how much a line has: '2 lb', '2 pieces', '2 × 5 kg' of a size. */
const amountOf = (line: OrderLine, quantity: number): string =>
  line.size ? formatGoodsQuantity(line, quantity) : formatCounted(quantity, goodsOf(line));

/** The same in front of '× ₨120.00', below a name that has the size. */
const factorOf = (line: OrderLine, quantity: number): string =>
  line.size ? formatCount(quantity) : amountOf(line, quantity);

/** The quantity of a line; where it changed, the old one struck through before it. */
function LineQuantity({ line, format = amountOf }: { line: OrderLine; format?: typeof amountOf }) {
  const { state, quantity, orderedQuantity } = line;
  const old = state === 'added' || orderedQuantity === quantity ? undefined : orderedQuantity;
  return (
    <>
      {old !== undefined && (
        <Old label={isGone(line) ? t('Removed, ordered were') : t('Ordered were')}>
          {format(line, old)}
        </Old>
      )}{' '}
      {!isGone(line) && (
        <span className="whitespace-nowrap">
          {old !== undefined && <span className="sr-only">{t('now')} </span>}
          {format(line, quantity)}
        </span>
      )}
    </>
  );
}

/** What a line comes to; where it changed, what it came to before. */
function LineTotal({ line }: { line: OrderLine }) {
  const { state, isFinal: isKnown, total, packed, product } = line;
  if (isGone(line)) {
    return (
      <Old label={t('Not charged')}>
        <Money amount={orderedTotal(line)} isEstimate={line.pieceWeight !== undefined} />
      </Old>
    );
  }
  const before = orderedTotal(line);
  return (
    <span className="grid justify-items-end">
      {state === 'reduced' && before !== total && (
        <Old label={t('It was')}>
          <Money amount={before} isEstimate={line.pieceWeight !== undefined} />
        </Old>
      )}
      <span>
        <Money amount={total} isEstimate={!isKnown} className="font-medium" />
        {packed !== undefined && (
          <span className="tabular whitespace-nowrap text-sm text-ink-soft">
            {' '}
            ({formatQuantity(packed, product.unit)})
          </span>
        )}
      </span>
    </span>
  );
}

/** What was before, struck through, with a word about it for those who do not see that. */
function Old({ label, children }: { label: string; children: ReactNode }) {
  return (
    <s className="whitespace-nowrap text-ink-soft">
      <span className="sr-only">{label} </span>
      {children}
    </s>
  );
}

const columnsOf = (items: readonly OrderLine[]): readonly Column<OrderLine>[] => [
  {
    key: 'product',
    header: t('Product'),
    primary: true,
    cell: (line) => {
      const { product, price, replaces, state, lot } = line;
      const replaced = items.find(({ _id }) => _id === replaces);
      const weight = expectedWeight(line);
      return (
        <span className="flex items-center gap-3">
          <Thumbnail image={product.images[0]} isGone={isGone(line)} />
          <span className="min-w-0">
            {isGone(line) ? (
              <s className="text-ink-soft">
                <bdi>{nameOf(line)}</bdi>
              </s>
            ) : (
              <bdi>{nameOf(line)}</bdi>
            )}
            {state === 'added' && (
              <span className="block text-sm font-normal text-leaf">
                {replaced ? t('Instead of {replaced}', { replaced: nameOf(replaced) }) : t('Added')}
              </span>
            )}
            {isGone(line) && (
              <span className="block text-sm font-normal text-ink-soft">{t('Removed')}</span>
            )}
            {/* Small screens show quantity and price in one line. */}
            <span className="block text-sm font-normal text-ink-soft rows:hidden">
              <LineQuantity line={line} format={factorOf} />
              {!isGone(line) && (
                <>
                  {' '}
                  × <Money amount={price} {...(!line.size && { per: pricedUnit(goodsOf(line)) })} />
                  <UnitPrice of={goodsOf(line)} className="block" />
                </>
              )}
            </span>
            {weight && <span className="block text-sm font-normal text-ink-soft">{weight}</span>}
            {lot && (
              <span className="block text-sm font-normal text-ink-soft">
                {t('Lot {lot}', { lot })}
              </span>
            )}
          </span>
        </span>
      );
    },
    className: 'min-w-0 grow pb-1',
  },
  {
    key: 'price',
    header: t('Price'),
    align: 'end',
    cell: (line) => (
      <>
        <Money amount={line.price} per={pricedUnit(goodsOf(line))} />
        <UnitPrice of={goodsOf(line)} className="block" />
      </>
    ),
    className: wideOnly,
  },
  {
    key: 'quantity',
    header: t('Quantity'),
    align: 'end',
    cell: (line) => <LineQuantity line={line} />,
    className: wideOnly,
  },
  {
    key: 'total',
    header: t('Total'),
    align: 'end',
    cell: (line) => <LineTotal line={line} />,
    className: '@max-xl:[&>[aria-hidden]]:hidden',
  },
];

/** The lines of an order with their totals, and the order total. What changed shows what it was before. */
export function OrderLines({ order }: { order: Order }) {
  const { items, totalAmount, estimatedTotal, isTotalFinal } = order;
  return (
    <div className="@container">
      <Table
        caption={t('Ordered products')}
        columns={columnsOf(items)}
        rows={linesInOrder(items)}
        rowKey={(line) => line._id}
        rowVersion={(line) => `${line.quantity} ${line.total}`}
        rowClassName={() =>
          'flex items-center gap-3 rounded-none border-0 border-t px-0 py-3 first:border-t-0 first:pt-0 rows:border-t-0'
        }
      />
      <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-hairline pt-4 @xl:px-2 @3xl:px-3">
        <span className="font-medium">{t('Total')}</span>
        <span className="flex flex-wrap items-baseline justify-end gap-x-3">
          {estimatedTotal !== totalAmount && (
            <Old label={t('As ordered it was')}>
              <Money
                amount={estimatedTotal}
                isEstimate={order.items.some(({ pieceWeight }) => pieceWeight)}
              />
            </Old>
          )}
          <OrderTotal order={order} className="text-lg font-semibold" />
        </span>
      </p>
      {!isTotalFinal && isOpenStatus(order.status) && (
        <p className="mt-1 text-sm text-ink-soft @xl:px-2 @3xl:px-3">
          {t('An estimate: the exact total is known once everything is weighed.')}
        </p>
      )}
    </div>
  );
}
