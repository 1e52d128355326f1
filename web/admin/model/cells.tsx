import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { OrderTotal } from '../../ordering/model/order-parts.tsx';
import type { Column } from '../../platform/ui/lists/Table.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

/** The link of a cell. */
export const CellLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="link inline-block py-0.5 wrap-anywhere">
    {children}
  </Link>
);

const ActionsHeader = () => <span className="sr-only">{t('Actions')}</span>;

/** The column of the buttons of a row, without its cells. */
export const ACTIONS = {
  key: 'actions',
  header: <ActionsHeader />,
  align: 'end',
  actions: true,
} as const;

export const orderDate: Column<Order> = {
  key: 'date',
  get header() {
    return t('Date');
  },
  cell: (order) => <Time value={order.createdAt} as="date" className="whitespace-nowrap" />,
};

export const orderTotal: Column<Order> = {
  key: 'total',
  get header() {
    return t('Total');
  },
  align: 'end',
  cell: (order) => <OrderTotal order={order} />,
};

/** A fact about somebody or something, in a list of them. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);
