import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageCircle, MessageCircleQuestion, Printer } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { asksForDetails } from '#contract/ordering/orders/how-to-pay';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { ReportEntry } from '../../admin/moderation/ReportEntry.tsx';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { MessageComposer } from '../../farm/messages/MessageComposer.tsx';
import { threadQuery, useSendText } from '../../farm/messages/queries.ts';
import { orderPaymentQuery } from '../../money/payment/queries.ts';
import { OrderAttention } from '../../ordering/attention/OrderAttention.tsx';
import { AddToCalendar } from '../../ordering/calendar/FarmCalendarPart.tsx';
import { ReorderButton } from '../../ordering/cart/reorder/ReorderButton.tsx';
import { ChangeOrder } from '../../ordering/changes/ChangeItemsDialog.tsx';
import { changeTermsOf } from '../../ordering/changes/items.ts';
import { LinePreferences } from '../../ordering/changes/PreferenceField.tsx';
import { PreferenceLines } from '../../ordering/changes/PreferenceLines.tsx';
import { ConsumersProposal } from '../../ordering/changes/proposals/AnswerCard.tsx';
import { isComplaintTime } from '../../ordering/complaints/complaint.ts';
import { useDayAtFarm } from '../../ordering/model/day-at-farm.ts';
import type { LastDay } from '../../ordering/model/last-day.ts';
import { isAhead, isDayPast, ordersKeys } from '../../ordering/model/order-cache.ts';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { asksToCancel, cancelRequest, NextSteps } from '../../ordering/orders/detail/NextSteps.tsx';
import { OrderDetail, OrderHead, Part } from '../../ordering/orders/detail/OrderDetail.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { ChangeOwnSlot, movableSlotOf } from '../../ordering/slots/ChangeSlot.tsx';
import { ApiError } from '../../platform/api/api-error.ts';
import { useTitle } from '../../platform/format/market.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useSeededQuery } from '../../platform/queries/seed.ts';
import { farmIdOf, hasConversations, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { pin } from '../../platform/ui/feedback/pinned.ts';
import { Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { BackLink } from '../../platform/ui/primitives/sections.tsx';
import { FarmLinesAction, FarmSlotAction } from './farm-actions.tsx';
import { useLastDay } from './use-offers.ts';

// Loaded when it is opened: few people ever do.
const ComplaintDialog = lazyWithRetry(
  () => import('../../ordering/complaints/ComplaintDialog.tsx'),
);

/** Prefetches the order when a link to it is hovered. */
export const prefetch = (client: QueryClient, { id = '' }: Readonly<Record<string, string>>) =>
  client.prefetchQuery(orderQuery(id));

/** The page of one order, for its consumer and its farmer. */
export default function OrderPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useAuth();
  const isFarmer = user?.role === 'farmer';
  const seeds = { lists: ordersKeys.all, id };
  const query = useSeededQuery(orderQuery(id), seeds);
  const [prepared, setPrepared] = useState<{ text: string }>();
  useTitle(t('Order #{number}', { number: shortId(id) }));

  return (
    <div className="wrap py-8">
      <div data-print="hide">
        <BackLink href={isFarmer ? '/farmer/orders' : '/orders'}>{t('Back to Orders')}</BackLink>
      </div>
      <Fetched query={query} skeleton={<OrderSkeleton />}>
        {(order) => (
          <>
            <OrderHead order={order} reader={isFarmer ? 'farmer' : 'consumer'}>
              <div data-print="hide" className="flex flex-wrap items-start gap-2">
                <Button
                  variant="quiet"
                  icon={<Printer />}
                  onClick={() => window.print()}
                  className="hidden sm:inline-flex"
                >
                  {t('Print')}
                </Button>
                {isFarmer && <UpdateStatusButton order={order} />}
                {isFarmer && (
                  <OrderActions order={order} party="farmer" className="hidden sm:flex" />
                )}
              </div>
            </OrderHead>
            {isFarmer && <OrderAttention order={order} />}
            {!isFarmer && <ConsumersProposal order={order} />}
            {!isFarmer && <ConsumersNextSteps order={order} onPrepare={setPrepared} />}
            <OrderDetail
              order={order}
              level={2}
              slotAction={<SlotAction order={order} />}
              linesAction={<LinesAction order={order} />}
            >
              {hasConversations(user) && (
                <ContactForm order={order} isFarmer={isFarmer} prepared={prepared} />
              )}
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
        )}
      </Fetched>
    </div>
  );
}

/**
 * What the consumer can do next. The farm is only needed for when it answers and for the way to a pickup, its account
 * for paying otherwise than in cash.
 */
function ConsumersNextSteps({
  order,
  onPrepare,
}: {
  order: Order;
  /** Puts words into the message to the farm. */
  onPrepare: (message: { text: string }) => void;
}) {
  const isPast = isDayPast(order, useDayAtFarm(order), useNow());
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: order.status === 'pending' || (isAhead(order) && order.pickupDetails !== undefined),
  });
  const payment = useQuery({ ...orderPaymentQuery(order._id), enabled: asksForDetails(order) });
  return (
    <NextSteps
      order={order}
      farm={farm.data}
      paymentDetails={payment.data?.details ?? ''}
      calendar={<AddToCalendar orderId={order._id} />}
    >
      <OrderActions order={order} party="consumer" />
      {asksToCancel(order, isPast) && (
        <Button
          variant="quiet"
          icon={<MessageCircle />}
          onClick={() => onPrepare({ text: cancelRequest(order) })}
        >
          {t('Ask to cancel')}
        </Button>
      )}
      <ComplaintEntry order={order} />
      <ReorderButton order={order} />
    </NextSteps>
  );
}

/**
 * Asks the consumer of a completed order for some days whether anything was wrong. What they say is sent to the farm, and
 * the conversation is open then.
 */
function ComplaintEntry({ order }: { order: Order }) {
  const farmId = order.farmer._id;
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const isTime = isComplaintTime(order, useNow(60_000));
  const [send, isSending] = useSendText(farmId, order._id);
  const thread = useInfiniteQuery({ ...threadQuery(farmId), enabled: isOpen });
  if (!isTime && !isOpen) return null;
  const isRefused = thread.error instanceof ApiError && thread.error.status === 404;
  return (
    <>
      <Button variant="secondary" icon={<MessageCircleQuestion />} onClick={() => setOpen(true)}>
        {t('Was anything wrong?')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ComplaintDialog
            order={order}
            mayWrite={!isRefused && thread.data?.pages[0]?.mayWrite !== false}
            isSending={isSending}
            onSend={(content) =>
              send(content, (isSent) => {
                setOpen(false);
                if (isSent) navigate(`/messages/${farmId}`);
              })
            }
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The button to change the time of a pickup, for its consumer and for those who answer for the farm. */
function SlotAction({ order }: { order: Order }) {
  const { user } = useAuth();
  const isConsumers = user?._id === order.consumer._id;
  const slotId = movableSlotOf(order);
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: isConsumers && slotId !== undefined,
  });
  if (mayForFarm(user, 'answerOrders')) return <FarmSlotAction order={order} />;
  // While a farm is off the market it offers no slots.
  if (!isConsumers || !slotId || farm.data?.isSuspended) return null;
  return (
    <ChangeOwnSlot
      order={order}
      slotId={slotId}
      timeZone={farm.data?.profile.timeZone}
      withLastDay={(children) => <WithLastDay order={order}>{children}</WithLastDay>}
    />
  );
}

/** Renders with until when all of the order's goods can be had, as {@link useLastDay} has it. */
function WithLastDay({
  order,
  children,
}: {
  order: Order;
  children: (lastDay: LastDay | null | undefined) => ReactNode;
}) {
  const left = order.items.filter(({ quantity }) => quantity > 0);
  return children(useLastDay([...new Set(left.flatMap(({ product }) => product._id ?? []))]));
}

/** What can be done about the lines, by their consumer and by those who answer for the farm; its other people read. */
function LinesAction({ order }: { order: Order }) {
  const { user } = useAuth();
  const isConsumers = user?._id === order.consumer._id;
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: isConsumers && isAhead(order),
  });
  if (farmIdOf(user) === order.farmer._id)
    return <FarmLinesAction order={order} mayAnswer={mayForFarm(user, 'answerOrders')} />;
  if (!isConsumers) return null;
  return (
    <>
      <PreferenceLines order={order} />
      <ChangeOrder order={order} handoff={farm.data && changeTermsOf(farm.data)} />
      <LinePreferences order={order} />
    </>
  );
}

/**
 * A form to message the other party about the order; not shown for deleted accounts. A farm that its founder
 * has left has no email, but its name.
 */
function ContactForm({
  order,
  isFarmer,
  prepared,
}: {
  order: Order;
  isFarmer: boolean;
  prepared: { text: string } | undefined;
}) {
  const other = isFarmer ? order.consumer : order.farmer;
  const isGone = other.email === '' && (isFarmer || !order.farmer.farmName);
  if (isGone) return null;
  return (
    <div data-print="hide">
      <Part title={isFarmer ? t('Contact customer') : t('Contact farmer')} icon={<MessageCircle />}>
        <MessageComposer
          receiverId={other._id}
          relatedOrder={order._id}
          prepared={prepared}
          label={t('Message to {name} about this order', { name: other.name })}
          placeholder={t('Write to {name} about this order', { name: other.name })}
        />
        <Link
          href={`/messages/${other._id}`}
          className="link mt-3 inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
        >
          {t('Open conversation')}
        </Link>
      </Part>
    </div>
  );
}

const OrderSkeleton = () => (
  <Loading className="grid gap-4">
    <Skeleton className="h-9 w-56" />
    <Skeleton className="mb-2 w-72" />
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-80" />
      <Skeleton className="h-80" />
    </div>
  </Loading>
);
