import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AdminPerson } from '#contract/admin/admin/admin';
import { SUSPENSION_REASON_MAX } from '#contract/admin/moderation/constants';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { REMOVAL_REASON_MAX } from '#contract/people/second-factor/constants';
import type { User } from '#contract/people/users/users';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { OfferPrice, OfferStock } from '../../../catalogue/model/offer.tsx';
import { allOpen, orderNumbers } from '../../../ordering/model/order-items.ts';
import { OrderGoods } from '../../../ordering/model/order-parts.tsx';
import { rich } from '../../../platform/format/rich.tsx';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { useWatchProducts } from '../../../platform/realtime/watch.ts';
import { TextDialog } from '../../../platform/ui/dialogs/TextDialog.tsx';
import { Alert, SkeletonRows } from '../../../platform/ui/feedback/states.tsx';
import { PagedList } from '../../../platform/ui/lists/LoadMore.tsx';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { Badge, Button, StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../../platform/ui/primitives/sections.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { CellLink, orderDate, orderTotal } from '../../model/cells.tsx';
import { adminOrderHref, adminProductHref } from '../AdminFrame.tsx';
import type { ItemsQuery } from '../ListTools.tsx';
import {
  personOrdersQuery,
  personProductsQuery,
  personQuery,
  useMailAgain,
  useRemoveSecondFactor,
  useSetSuspension,
} from '../queries.ts';

/** The orders that a person placed or received. */
export function PersonOrders({ person }: { person: User }) {
  const query = useInfiniteQuery(personOrdersQuery(person._id));
  return (
    <PagedPart id="person-orders" title={t('Orders')} query={query} empty={t('No orders yet.')}>
      {(orders) => (
        <Table
          caption={t('Orders of {name}', { name: person.name })}
          columns={orderColumns(person.role === 'farmer')}
          rows={orders}
          rowKey={(order) => order._id}
          rowVersion={(order) => order.status}
        />
      )}
    </PagedPart>
  );
}

const orderColumns = (isFarmer: boolean): readonly Column<Order>[] => [
  {
    key: 'order',
    header: t('Order'),
    primary: true,
    cell: (order) => (
      <CellLink href={adminOrderHref(order)}>
        <OrderGoods order={order} />
      </CellLink>
    ),
  },
  orderDate,
  isFarmer
    ? { key: 'other', header: t('Customer'), cell: (order) => <bdi>{order.consumer.name}</bdi> }
    : { key: 'other', header: t('Farm'), cell: (order) => <bdi>{farmNameOf(order.farmer)}</bdi> },
  orderTotal,
  { key: 'status', header: t('Status'), cell: (order) => <StatusBadge status={order.status} /> },
];

/** The products of a farmer, inactive and hidden ones too. */
export function PersonProducts({ person }: { person: User }) {
  const query = useInfiniteQuery(personProductsQuery(person._id));
  const shown = query.data?.pages.flatMap((page) => page.data.map(({ _id }) => _id)) ?? [];
  useWatchProducts(shown);
  return (
    <PagedPart
      id="person-products"
      title={t('Products')}
      query={query}
      empty={t('No products yet.')}
    >
      {(products) => (
        <Table
          caption={t('Products of {name}', { name: person.name })}
          columns={productColumns()}
          rows={products}
          rowKey={(product) => product._id}
          rowVersion={(product) => product.version}
        />
      )}
    </PagedPart>
  );
}

const productColumns = (): readonly Column<Product>[] => [
  {
    key: 'name',
    header: t('Product'),
    primary: true,
    cell: (product) => (
      <CellLink href={adminProductHref(product)}>
        <bdi>{product.name}</bdi>
      </CellLink>
    ),
  },
  {
    key: 'price',
    header: t('Price'),
    align: 'end',
    cell: (product) => <OfferPrice product={product} />,
  },
  {
    key: 'quantity',
    header: t('Quantity'),
    align: 'end',
    cell: (product) => <OfferStock product={product} />,
  },
  {
    key: 'status',
    header: t('Status'),
    cell: ({ isActive, hiddenReason }) =>
      hiddenReason !== undefined ? (
        <Badge tone="tomato">{t('Hidden')}</Badge>
      ) : isActive ? (
        <Badge tone="leaf">{t('Active')}</Badge>
      ) : (
        <Badge>{t('Inactive')}</Badge>
      ),
  },
];

/**
 * A titled part of a page that shows a list page by page. The next page is loaded by a button, because
 * further parts follow below.
 */
export const PagedPart = <Item extends { _id: string }>({
  id,
  title,
  query,
  empty,
  children,
}: {
  /** The id of its heading. */
  id: string;
  title: string;
  query: ItemsQuery<Item>;
  /** Replaces an empty list. */
  empty: string;
  children: (items: readonly Item[]) => ReactNode;
}) => (
  <Card as="section" aria-labelledby={id}>
    <CardHeader id={id} title={title} />
    <PagedList
      query={query}
      items={itemsOf(query.data)}
      skeleton={<SkeletonRows rows={3} />}
      empty={<p className="text-sm text-ink-soft">{empty}</p>}
      more={
        query.hasNextPage && (
          <Button
            variant="secondary"
            size="sm"
            pending={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
            className="mt-3"
          >
            {query.isFetchNextPageError ? t('Try again') : t('Show more')}
          </Button>
        )
      }
    >
      {children}
    </PagedList>
  </Card>
);

const descriptions = {
  person: msg(
    "They're signed out and can't come back until you restore the account. Their orders stay.",
  ),
  founder: msg(
    "They're signed out and can't come back until you restore the account. The farm and its products leave the market; its other people can still finish the orders it has.",
  ),
  farm: msg(
    'The farm and its products leave the market until you restore it. Its people can still finish the orders it has.',
  ),
};

/** Asks for the reason before an account is suspended. */
export function SuspendDialog({
  user,
  kind,
  onClose,
}: {
  user: { _id: string; name: string };
  /** A person, one who registered a farm, or a farm that its founder has left. */
  kind: keyof typeof descriptions;
  onClose: () => void;
}) {
  const suspend = useSetSuspension(user._id);
  const { data } = useQuery({ ...personQuery(user._id), refetchOnMount: 'always' });
  const farmOrders = kind === 'person' ? null : data?.openOrders?.farmOrders;
  const orders = farmOrders ? allOpen(farmOrders) : { count: 0, ids: [] };
  return (
    <TextDialog
      draftKey={`suspend:${user._id}`}
      title={t('Suspend {name}?', { name: user.name })}
      description={
        orders.count > 0
          ? t(
              '{consequence} The customers of {count, plural, one {# open order} other {# open orders}} ({numbers}) are told, and may cancel.',
              {
                consequence: descriptions[kind],
                count: orders.count,
                numbers: orderNumbers(orders),
              },
            )
          : writeMessage(descriptions[kind])
      }
      label={t('Reason')}
      hint={
        kind === 'farm'
          ? t('Only admins see it.')
          : t('We mail it to them, and they see it when they try to sign in.')
      }
      maxLength={SUSPENSION_REASON_MAX}
      confirmLabel={t('Suspend account')}
      pendingLabel={t('Suspending...')}
      danger
      pending={suspend.isPending}
      onClose={onClose}
      onConfirm={(reason) => suspend.mutate({ suspended: true, reason }, { onSuccess: onClose })}
    />
  );
}

/** Says that an account is suspended, since when and why, with the button that restores it. */
export function SuspensionNotice({ person: { user, farm, suspension } }: { person: AdminPerson }) {
  const restore = useSetSuspension(user._id);
  if (!suspension) return null;
  return (
    <Alert kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">
            {rich('Suspended since {day}', {
              day: <Time value={suspension.at} as="date" inSentence />,
            })}
          </p>
          <p className="wrap-anywhere">
            {suspension.reason === ''
              ? t('No reason given.')
              : t('Reason: {reason}', { reason: suspension.reason })}
          </p>
          {farm && (
            <p>{t('The farm is off the market. Its other people can still finish its orders.')}</p>
          )}
        </div>
        <Button
          variant="secondary"
          size="sm"
          pending={restore.isPending}
          pendingLabel={t('Restoring...')}
          onClick={() => restore.mutate({ suspended: false })}
        >
          {t('Restore account')}
        </Button>
      </div>
    </Alert>
  );
}

/** Says that a mail server refuses somebody's address, and lets an admin who knows better have it mailed again. */
export function UnreachableNotice({ person: { user, unreachable } }: { person: AdminPerson }) {
  const mailAgain = useMailAgain(user._id);
  if (!unreachable) return null;
  return (
    <Alert kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">
            {rich('No mail reaches them since {day}', {
              day: <Time value={unreachable.since} as="date" inSentence />,
            })}
          </p>
          <p className="wrap-anywhere">
            {t('The mail server says: {reply}', { reply: unreachable.reply })}
          </p>
          <p>{t('They see it on every page, and get mails again once they change or prove it.')}</p>
        </div>
        <Button
          variant="secondary"
          size="sm"
          pending={mailAgain.isPending}
          onClick={() => mailAgain.mutate()}
        >
          {t('Mail again')}
        </Button>
      </div>
    </Alert>
  );
}

/** Asks how an admin knows who asks, before the second factor of somebody who lost it is removed. */
export function RemoveSecondFactorDialog({
  user,
  onClose,
}: {
  user: { _id: string; name: string };
  onClose: () => void;
}) {
  const remove = useRemoveSecondFactor(user._id);
  return (
    <TextDialog
      draftKey={`remove-second-factor:${user._id}`}
      title={t('Remove the second factor of {name}?', { name: user.name })}
      description={t(
        "Their app, recovery codes and passkeys end, and they're signed out everywhere. Their password alone signs them in then. We tell them by email.",
      )}
      label={t("How do you know it's them?")}
      hint={t(
        'Only admins see it. Call a number you know, for example: anyone can write an email.',
      )}
      missing={t('Write how you know who asks.')}
      maxLength={REMOVAL_REASON_MAX}
      confirmLabel={t('Remove second factor')}
      pendingLabel={t('Removing...')}
      danger
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={(reason) => remove.mutate({ reason }, { onSuccess: onClose })}
    />
  );
}
