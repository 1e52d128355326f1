import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircle, Printer } from 'lucide-react';
import { Link, useParams } from 'wouter';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { ReportEntry } from '../../admin/moderation/ReportEntry.tsx';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { MessageComposer } from '../../farm/messages/MessageComposer.tsx';
import { orderPaymentQuery } from '../../money/payment/queries.ts';
import { AddToCalendar } from '../../ordering/calendar/AddToCalendar.tsx';
import { OrderAgain } from '../../ordering/cart/reorder/OrderAgain.tsx';
import { ChangeOrder } from '../../ordering/changes/ChangeOrder.tsx';
import { changeTermsOf } from '../../ordering/changes/items.ts';
import { LineWishes } from '../../ordering/changes/LineWishes.tsx';
import { BuyersProposal } from '../../ordering/changes/proposals/AnswerCard.tsx';
import { FarmChanges } from '../../ordering/changes/proposals/FarmProposal.tsx';
import { WishedLines } from '../../ordering/changes/WishedLines.tsx';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { NextSteps } from '../../ordering/orders/detail/NextSteps.tsx';
import { asksForDetails, isAhead } from '../../ordering/orders/detail/next-steps.ts';
import { OrderDetail, Part } from '../../ordering/orders/detail/OrderDetail.tsx';
import { OrderHead } from '../../ordering/orders/detail/OrderHead.tsx';
import { ordersKeys } from '../../ordering/orders/keys.ts';
import { mergeOrder } from '../../ordering/orders/merge.ts';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { ChangeCustomersSlot, ChangeOwnSlot } from '../../ordering/slots/ChangeSlot.tsx';
import { formatAddress } from '../../platform/format/format.ts';
import { useTitle } from '../../platform/hooks/use-title.ts';
import { useSeededQuery } from '../../platform/queries/use-seeded-query.ts';
import { farmIdOf, hasConversations, mayForFarm } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { pin } from '../../platform/ui/feedback/pinned.ts';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { BackLink } from '../../platform/ui/primitives/BackLink.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** Prefetches the order when a link to it is hovered. */
export function prefetch(client: QueryClient, params: Readonly<Record<string, string>>): void {
  if (params.id) void client.prefetchQuery(orderQuery(params.id));
}

/** The page of one order, for its consumer and its farmer. */
export default function OrderPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useAuth();
  const cache = useQueryClient();
  const isFarmer = user?.role === 'farmer';
  const seeds = { lists: ordersKeys.all, id };
  const { data: order, error, refetch, isFetching } = useSeededQuery(orderQuery(id), seeds);
  useTitle(`Order #${shortId(id)}`);

  return (
    <div className="wrap py-8">
      <div data-print="hide">
        <BackLink href={isFarmer ? '/farmer/orders' : '/orders'}>Back to Orders</BackLink>
      </div>
      {order ? (
        <>
          <OrderHead order={order} reader={isFarmer ? 'farmer' : 'consumer'}>
            <div data-print="hide" className="flex flex-wrap items-start gap-2">
              <Button
                variant="quiet"
                icon={<Printer />}
                onClick={() => window.print()}
                className="hidden sm:inline-flex"
              >
                Print
              </Button>
              {isFarmer && <UpdateStatusButton order={order} />}
              <OrderActions
                order={order}
                party={isFarmer ? 'farmer' : 'consumer'}
                className={isFarmer ? 'hidden sm:flex' : 'max-sm:-ml-4'}
              />
            </div>
          </OrderHead>
          {!isFarmer && (
            <BuyersProposal order={order} onChanged={(changed) => mergeOrder(cache, changed)} />
          )}
          {!isFarmer && <BuyersNextSteps order={order} />}
          <OrderDetail
            order={order}
            level={2}
            slotAction={<SlotAction order={order} user={user} />}
            linesAction={<LinesAction order={order} user={user} />}
          >
            {hasConversations(user) && <ContactForm order={order} isFarmer={isFarmer} />}
            <div data-print="hide">
              <ReportEntry
                kind="order"
                id={order._id}
                aboutId={isFarmer ? order.consumer._id : order.farmer._id}
              />
            </div>
          </OrderDetail>
          {isFarmer && (
            <div ref={pin} className="pinned -mx-4 mt-4 sm:hidden">
              <OrderActions
                order={order}
                party="farmer"
                size="lg"
                className="border-t border-hairline bg-paper p-3 *:grow"
              />
            </div>
          )}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <OrderSkeleton />
      )}
    </div>
  );
}

/**
 * What the buyer can do next. The farm's address is only needed for the way to a pickup, its account for paying
 * otherwise than in cash.
 */
function BuyersNextSteps({ order }: { order: Order }) {
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: isAhead(order) && order.pickupDetails !== undefined,
  });
  const payment = useQuery({ ...orderPaymentQuery(order._id), enabled: asksForDetails(order) });
  return (
    <NextSteps
      order={order}
      farmAddress={formatAddress(farm.data?.farmer.address)}
      paymentDetails={payment.data?.details ?? ''}
      calendar={<AddToCalendar orderId={order._id} />}
    >
      <OrderAgain order={order} />
    </NextSteps>
  );
}

/** The button to change the time of a pickup, for its buyer and for those who answer for the farm. */
function SlotAction({ order, user }: { order: Order; user: User | null }) {
  const cache = useQueryClient();
  const isFarms = mayForFarm(user, 'answerOrders');
  const hasSlot = order.pickupDetails?.slotId !== undefined;
  const farm = useQuery({ ...farmerQuery(order.farmer._id), enabled: isAhead(order) && hasSlot });
  const props = {
    order,
    timeZone: farm.data?.profile.timeZone,
    onChanged: (changed: Order) => mergeOrder(cache, changed),
  };
  if (isFarms) return <ChangeCustomersSlot {...props} />;
  // While a farm is off the market it offers no slots.
  const isOffered = user?._id === order.consumer._id && !farm.data?.isSuspended;
  return isOffered ? <ChangeOwnSlot {...props} /> : null;
}

/** What can be done about the lines, by their buyer and by those who answer for the farm; its other people read. */
function LinesAction({ order, user }: { order: Order; user: User | null }) {
  const cache = useQueryClient();
  const isBuyers = user?._id === order.consumer._id;
  const isFarms = mayForFarm(user, 'answerOrders');
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: isAhead(order) && (isBuyers || isFarms),
  });
  const onChanged = (changed: Order) => mergeOrder(cache, changed);
  if (farmIdOf(user) === order.farmer._id) {
    return (
      <FarmChanges
        order={order}
        reader={isFarms ? 'farmer' : 'packer'}
        answerMinutes={farm.data?.profile.answerMinutes}
        onChanged={onChanged}
      />
    );
  }
  if (!isBuyers) return null;
  return (
    <>
      <WishedLines order={order} onChanged={onChanged} />
      <ChangeOrder
        order={order}
        handoff={farm.data && changeTermsOf(farm.data)}
        onChanged={onChanged}
      />
      <LineWishes order={order} onChanged={onChanged} />
    </>
  );
}

/**
 * A form to message the other party about the order; not shown for deleted accounts. A farm that its founder
 * has left has no email, but its name.
 */
function ContactForm({ order, isFarmer }: { order: Order; isFarmer: boolean }) {
  const other = isFarmer ? order.consumer : order.farmer;
  const isGone = other.email === '' && (isFarmer || !order.farmer.farmName);
  if (isGone) return null;
  return (
    <div data-print="hide">
      <Part title={isFarmer ? 'Contact customer' : 'Contact farmer'} icon={<MessageCircle />}>
        <MessageComposer
          receiverId={other._id}
          relatedOrder={order._id}
          label={`Message to ${other.name} about this order`}
          placeholder={`Write to ${other.name} about this order`}
        />
        <Link
          href={`/messages/${other._id}`}
          className="link mt-3 inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
        >
          Open conversation
        </Link>
      </Part>
    </div>
  );
}

function OrderSkeleton() {
  return (
    <Loading className="grid gap-4">
      <Skeleton className="h-9 w-56" />
      <Skeleton className="mb-2 w-72" />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </Loading>
  );
}
