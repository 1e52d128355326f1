import {
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useAtom, useSetAtom, useStore } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { keepsDays } from '#contract/farm/schedule/constants';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { productQuery } from '../../catalogue/products/queries.ts';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { handoffOf, hoursOn } from '../../farm/farmers/rules.ts';
import { pauseSentence } from '../../farm/model/handoff.ts';
import { PauseNotice } from '../../farm/pause/PauseNotice.tsx';
import { possibleDaysQuery } from '../../farm/schedule/queries.ts';
import { CartLines, CartNotices, ReorderNotice } from '../../ordering/cart/CartLines.tsx';
import { setLinePreference } from '../../ordering/cart/change-lines.ts';
import { attemptOf } from '../../ordering/cart/checkout/attempt.ts';
import {
  CheckoutForm,
  FormSkeleton,
  type SlotField,
} from '../../ordering/cart/checkout/CheckoutForm.tsx';
import {
  type Checkout,
  toOrder,
  withPreferences,
} from '../../ordering/cart/checkout/checkout-form.ts';
import {
  clearCheckoutDraft,
  type FarmTerms,
  keepCheckoutDraft,
  readCheckoutDraft,
} from '../../ordering/cart/checkout/initial-values.ts';
import {
  isCartOutdated,
  isUnanswered,
  isUnverified,
  problemsOf,
  useArrivedOrder,
  useOnceVerified,
  usePlaceOrder,
  useWhenOnline,
} from '../../ordering/cart/checkout/place-order.ts';
import { reconcile } from '../../ordering/cart/reconcile.ts';
import { type Refused, refusedOffers } from '../../ordering/cart/refused-offers.ts';
import {
  type Cart,
  cartAtom,
  EMPTY_CART,
  type LinePreference,
  lineKey,
  reorderNoticeAtom,
} from '../../ordering/cart/rules.ts';
import { AddToOrder } from '../../ordering/changes/AddToOrder.tsx';
import { changeTermsOf } from '../../ordering/changes/items.ts';
import { PreferenceField } from '../../ordering/changes/PreferenceField.tsx';
import { preferencesQuery } from '../../ordering/changes/queries.ts';
import { fitsGoods, type LastDay } from '../../ordering/model/last-day.ts';
import { mergeOrder } from '../../ordering/model/order-cache.ts';
import { ordersQuery } from '../../ordering/orders/queries.ts';
import { CheckoutSlots } from '../../ordering/slots/CheckoutSlots.tsx';
import { AddressPicker } from '../../people/addresses/AddressPicker.tsx';
import { ConfirmEmail } from '../../people/auth/security/AccountEmail.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { readOwner } from '../../platform/session/owned.ts';
import { store as clientState, useAuth } from '../../platform/session/session.ts';
import { EmptyState } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { isFirstTry, useOffers } from './use-offers.ts';

/** How often the end of a pause is looked for, in milliseconds. */
const CLOCK_STEP_MS = 15_000;

const PLACED = msg('Order placed successfully!');
const AS_FIRST_SENT = msg(
  'This is your order as it was sent first. What you changed after that is not in it.',
);

/** Prefetches what the cart is compared with, and the farm's terms. */
export function prefetch(client: QueryClient) {
  const { farmerId, lines } = clientState.get(cartAtom);
  if (farmerId === null) return undefined;
  return Promise.all([
    client.prefetchQuery(farmerQuery(farmerId)),
    client.prefetchQuery(possibleDaysQuery(farmerId)),
    client.prefetchInfiniteQuery(ordersQuery('mine')),
    ...lines.map(({ productId }) => client.prefetchQuery(productQuery(productId))),
  ]);
}

/** The cart, compared with the current offers of the farm, and the checkout form. */
export default function CheckoutPage() {
  const [cart] = useAtom(cartAtom);
  return (
    <div className="wrap py-8">
      <PageHeader title={t('Checkout')} />
      {cart.lines.length === 0 ? (
        <EmptyState
          drawing="basket"
          title={t('Your cart is empty')}
          text={t('Find something fresh and put it in.')}
        >
          <LinkButton href="/products">{t('Browse Products')}</LinkButton>
        </EmptyState>
      ) : (
        // Remounted for another farm, whose terms and address differ.
        <FilledCart key={cart.farmerId} cart={cart} />
      )}
    </div>
  );
}

function FilledCart({ cart }: { cart: Cart }) {
  const store = useStore();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const { user } = useAuth();
  const news = useRef<HTMLDivElement>(null);
  const isSending = useRef(false);
  const place = usePlaceOrder();
  const farm = useQuery(farmerQuery(cart.farmerId ?? ''));
  const days = useQuery(possibleDaysQuery(cart.farmerId ?? ''));
  const orders = useInfiniteQuery(ordersQuery('mine'));
  const [refused, setRefused] = useState<Refused>(new Map());
  const { offers, versions, details, lastDay, refetch } = useOffers(
    cart,
    refused,
    farm.data?.handoff,
  );
  const reconciled = reconcile(cart, offers);
  // What a line costs is not known until its size is chosen.
  const unsized = new Set(reconciled.news.filter((each) => each.asksSize).map(({ line }) => line));
  const sized = cart.lines.filter((line) => !unsized.has(line));
  const wishes = usePreferences(cart);
  const setReorderNotice = useSetAtom(reorderNoticeAtom);
  const farmerId = cart.farmerId ?? '';
  const [draft] = useState(() => readCheckoutDraft(farmerId));
  const [held, setHeld] = useState<HeldOrder | null>(null);
  // An order of another cart is not what the consumer wants any more.
  const heldNow = held?.cart === cart ? held : null;
  const unanswered = heldNow?.cause === 'unanswered' ? heldNow : null;
  const unverified = heldNow?.cause === 'unverified' ? heldNow : null;

  const paused = pauseSentence(farm.data?.handoff, useNow(CLOCK_STEP_MS));
  const hasSlots = farm.data?.profile.hasSlots === true;
  const ordersHere = itemsOf(orders.data).filter(({ farmer }) => farmer._id === farmerId);
  const pickSlot = hasSlots
    ? (field: SlotField) => (
        <CheckoutSlots
          farmId={farmerId}
          timeZone={farm.data?.profile.timeZone}
          bookableDays={farm.data?.handoff?.bookableDays}
          lastOrder={orders.isPending ? undefined : lastWithSlot(ordersHere)}
          lastDay={lastDay}
          {...field}
        />
      )
    : undefined;

  useEffect(() => {
    attemptOf(readOwner(), farmerId);
  }, [farmerId]);

  const focusNotices = () => {
    news.current?.focus({ preventScroll: true });
    news.current?.scrollIntoView({ block: 'center' });
  };

  /** What is in the cart is an order now: shows it. */
  const finish = (orderId: string, words: string, order?: Order) => {
    if (order) mergeOrder(cache, order);
    clearCheckoutDraft(farmerId);
    toast.success(words);
    navigate(`/orders/${orderId}`);
    setReorderNotice([]);
  };

  useArrivedOrder(place.isPending, (order) => finish(order._id, writeMessage(PLACED), order));

  const submit = async (input: Checkout) => {
    const { cart: asSent, order } = toOrder(store.get(cartAtom), input, wishes);
    // Another tab may have ordered it just now.
    if (cartAtom.readStored().lines.length === 0) return;
    if (reconciled.news.length > 0) return focusNotices();
    // Two signs of the network's return, or one and a press, may come at once.
    if (isSending.current) return;
    isSending.current = true;
    setHeld(null);
    const owner = readOwner();
    try {
      const placed = await place.mutateAsync({ owner, said: [asSent, input], order });
      // Somebody else may have signed in while the order was on its way.
      if (readOwner() !== owner) return;
      finish(placed.orderId, writeMessage(PLACED), placed.order);
      if (!placed.isAsSaid) toast.info(writeMessage(AS_FIRST_SENT));
    } catch (error) {
      if (isUnanswered(error) || isUnverified(error)) {
        const cause = isUnanswered(error) ? 'unanswered' : 'unverified';
        return setHeld({ cause, input, cart: asSent, at: Date.now() });
      }
      if (!isCartOutdated(error)) {
        void farm.refetch();
        void days.refetch();
        throw error;
      }
      // The refusal lists the changes of each line, also of products that can no longer be fetched.
      setRefused(
        refusedOffers(asSent.lines, problemsOf(error), (id) => ({
          offer: offers.get(id),
          version: versions.get(id),
        })),
      );
      await refetch();
      focusNotices();
    } finally {
      isSending.current = false;
    }
  };

  // The mutation shows its failure itself.
  const sendAgain = ({ input }: HeldOrder) => submit(input).catch(() => undefined);
  useWhenOnline(unanswered, sendAgain);
  useOnceVerified(unverified, user?.isEmailVerified === true, sendAgain);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.35fr_1fr] lg:gap-8">
      <div className="grid gap-4">
        <PauseNotice handoff={farm.data?.handoff} />
        <ReorderNotice />
        <CartNotices
          ref={news}
          news={reconciled.news}
          onAccept={() => store.set(cartAtom, reconciled.updated)}
        />
        <CartLines
          details={details}
          news={reconciled.news}
          preferenceOf={(line) => (
            <PreferenceField
              name={nameWithSize(line.name, line.size)}
              productId={line.productId}
              farmId={farmerId}
              value={wishes.get(lineKey(line)) ?? { onShort: user?.onShortDefault ?? 'ask' }}
              onChange={(preference) =>
                store.set(cartAtom, setLinePreference(cart, lineKey(line), preference))
              }
            />
          )}
        />
      </div>
      <div className="rounded border border-hairline bg-surface p-4 sm:p-5 lg:sticky lg:top-20">
        {farm.isPending || isFirstTry(days) || isFirstTry(orders) ? (
          <FormSkeleton />
        ) : (
          <>
            <AddToOrder
              orders={ordersHere.filter((order) => fitsGoods(slotOf(order).date, lastDay))}
              handoff={paused ? undefined : farm.data && changeTermsOf(farm.data)}
              lines={withPreferences(cart, wishes)}
              disabled={reconciled.news.length > 0 || place.isPending}
              onAdded={(order) => {
                finish(order._id, t('Added to your order'));
                store.set(cartAtom, EMPTY_CART);
              }}
              onRefused={() => void refetch()}
            />
            <CheckoutForm
              lines={sized}
              asksSize={sized.length < cart.lines.length}
              terms={termsOf(farm.data, days.data, lastDay)}
              address={user?.address ?? { street: '', city: '', state: '', zipCode: '' }}
              draft={draft}
              last={ordersHere[0]}
              pickSlot={pickSlot}
              onDraft={(typed) => {
                keepCheckoutDraft(farmerId, typed);
                // What is being changed is sent by the consumer alone.
                setHeld(null);
              }}
              pickAddress={(field) => <AddressPicker {...field} />}
              notice={
                unverified &&
                user && (
                  <ConfirmEmail email={user.email}>
                    {t('Your order is placed as soon as you did. Everything is kept here.')}
                  </ConfirmEmail>
                )
              }
              held={unanswered !== null}
              sending={place.isPending}
              paused={paused}
              onSubmit={submit}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** Returns the consumer's newest order that has a slot, null for none. */
const lastWithSlot = (orders: readonly Order[]): Order | null =>
  orders.find(({ pickupDetails }) => pickupDetails?.slotId !== undefined) ?? null;

/** An order that is sent again once it can be: why it is not placed, and since when (milliseconds). */
type HeldOrder = { cause: 'unanswered' | 'unverified'; input: Checkout; cart: Cart; at: number };

/** Returns what the consumer wishes for a shortage of each line: what they chose now, else what they did last time. */
function usePreferences({ lines }: Cart): ReadonlyMap<string, LinePreference> {
  const ids = [...new Set(lines.map(({ productId }) => productId))].sort();
  const { data = [] } = useQuery(preferencesQuery(ids));
  const before = new Map(data.map(({ product, ...preference }) => [product, preference]));
  return new Map(
    lines.flatMap((line) => {
      const preference = line.preference ?? before.get(line.productId);
      return preference ? [[lineKey(line), preference] as const] : [];
    }),
  );
}

/** Returns the terms of a farm; both options if its profile failed to load, as the server checks again. */
function termsOf(
  detail: FarmerDetail | undefined,
  days: readonly PossibleDay[] | undefined,
  lastDay: LastDay | null | undefined,
): FarmTerms {
  const { profile, farmer, handoff } = detail ?? {};
  const cutoff = handoff?.cutoff ?? null;
  return {
    acceptsPickup: profile?.acceptsPickup ?? true,
    acceptsDelivery: profile?.acceptsDelivery ?? true,
    deliveryRadius: profile?.deliveryRadius ?? null,
    deliveryAreas: profile?.deliveryAreas ?? [],
    // Farms of before were not asked for a town.
    pickupLocation:
      formatAddress(farmer?.address) ||
      (detail ? farmNameOf({ farmName: detail.profile.farmName, name: detail.farmer.name }) : ''),
    hoursOn: (date) => profile && hoursOn(profile.businessHours, date),
    timeZone: profile?.timeZone,
    days: detail && days?.filter(({ date }) => fitsGoods(date, lastDay)),
    lastDay,
    // By its own hours: those of its pickup places are for slots alone.
    keepsDays:
      profile !== undefined && keepsDays({ openings: handoffOf(profile).openings, cutoff }),
    hasCutoff: cutoff !== null,
    bookableDays: handoff?.bookableDays,
  };
}
