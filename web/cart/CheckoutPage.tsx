import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom, useStore } from 'jotai';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import type { FarmerDetail } from '#contract/farmers';
import type { PlaceOrder } from '#contract/orders';
import { useAuth } from '../auth/use-auth.ts';
import { farmerQuery } from '../farmers/queries.ts';
import { hoursOn } from '../farmers/rules.ts';
import { ApiError } from '../lib/api-error.ts';
import { formatAddress } from '../lib/format.ts';
import { mergeOrder } from '../orders/merge.ts';
import { productQuery } from '../products/queries.ts';
import { isOnMarket } from '../products/rules.ts';
import { useWatchProducts } from '../realtime/watch.ts';
import { LinkButton } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Loading, Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { cartAtom } from './atoms.ts';
import { CartLines, type LineDetails } from './CartLines.tsx';
import { CartNews } from './CartNews.tsx';
import { CheckoutForm, type FarmTerms } from './CheckoutForm.tsx';
import type { Checkout } from './checkout-form.ts';
import { isOvertaken, usePlaceOrder } from './place-order.ts';
import { type Offer, reconcile } from './reconcile.ts';
import { type Cart, EMPTY_CART } from './rules.ts';

/** The cart, held against what the farm offers at this moment, and what it takes to order it. */
export default function CheckoutPage() {
  const [cart] = useAtom(cartAtom);
  return (
    <div className="wrap py-8">
      <PageHeader title="Checkout" />
      {cart.lines.length === 0 ? (
        <EmptyState
          drawing="basket"
          title="Your cart is empty"
          text="Find something fresh and put it in."
        >
          <LinkButton href="/products">Browse Products</LinkButton>
        </EmptyState>
      ) : (
        // Another farm, another form: its terms and its address are others.
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
  const place = usePlaceOrder();
  const farm = useQuery(farmerQuery(cart.farmerId ?? ''));
  const { offers, details, refetch } = useOffers(cart);
  const reconciled = reconcile(cart, offers);

  const toNews = () => {
    news.current?.focus({ preventScroll: true });
    news.current?.scrollIntoView({ block: 'center' });
  };

  const submit = async (input: Checkout) => {
    const { cart: asSent, order } = toOrder(store.get(cartAtom), input);
    if (asSent.lines.length === 0) return;
    if (reconciled.news.length > 0) return toNews();
    try {
      const placed = await place.mutateAsync(order);
      mergeOrder(cache, placed);
      toast.success('Order placed successfully!');
      navigate(`/orders/${placed._id}`);
      store.set(cartAtom, EMPTY_CART);
    } catch (error) {
      if (!isOvertaken(error)) {
        void farm.refetch();
        throw error;
      }
      // What has changed is told line by line, once it is read again.
      await refetch();
      toNews();
    }
  };

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.35fr_1fr] lg:gap-8">
      <div className="grid gap-4">
        <CartNews
          ref={news}
          news={reconciled.news}
          onAccept={() => store.set(cartAtom, reconciled.mended)}
        />
        <CartLines details={details} news={reconciled.news} />
      </div>
      <div className="rounded border border-hairline bg-surface p-4 sm:p-5 lg:sticky lg:top-20">
        {farm.isPending ? (
          <FormSkeleton />
        ) : (
          <CheckoutForm
            lines={cart.lines}
            terms={termsOf(farm.data)}
            address={user?.address ?? { street: '', city: '', state: '', zipCode: '' }}
            onSubmit={submit}
          />
        )}
      </div>
    </div>
  );
}

/** What is ordered: the cart as it is at this moment, in the way the buyer chose. */
function toOrder(cart: Cart, input: Checkout): { cart: Cart; order: PlaceOrder } {
  const { orderType: _, ...how } = input;
  return {
    cart,
    order: {
      farmer: cart.farmerId ?? '',
      items: cart.lines.map(({ productId, quantity, price }) => ({
        product: productId,
        quantity,
        price,
      })),
      ...how,
    },
  };
}

/** What the market offers of each line: asked anew when one comes here, and followed from then on. */
function useOffers(cart: Cart) {
  const ids = cart.lines.map((line) => line.productId);
  useWatchProducts(ids);
  const queries = useQueries({
    queries: ids.map((id) => ({ ...productQuery(id), refetchOnMount: 'always' as const })),
  });
  const offers = new Map<string, Offer>();
  const details = new Map<string, LineDetails>();
  for (const [index, { data, error }] of queries.entries()) {
    const id = ids[index] ?? '';
    const isGone = error instanceof ApiError && error.status === 404;
    if (isGone || (data && !isOnMarket(data))) offers.set(id, null);
    else if (data) offers.set(id, data);
    if (data) details.set(id, { unit: data.unit, left: data.quantityAvailable });
  }
  const refetch = () => Promise.all(queries.map((query) => query.refetch()));
  return { offers, details, refetch };
}

/** A farm whose profile could not be read is taken to offer both; the server knows in the end. */
function termsOf(detail: FarmerDetail | undefined): FarmTerms {
  if (!detail) {
    return {
      acceptsPickup: true,
      acceptsDelivery: true,
      deliveryRadius: null,
      place: '',
      hoursOn: () => undefined,
    };
  }
  const { acceptsPickup, acceptsDelivery, deliveryRadius, businessHours } = detail.profile;
  return {
    acceptsPickup,
    acceptsDelivery,
    deliveryRadius,
    place: formatAddress(detail.farmer.address),
    hoursOn: (date) => hoursOn(businessHours, date),
  };
}

function FormSkeleton() {
  return (
    <Loading className="grid gap-5">
      <Skeleton className="h-6 w-1/2" />
      <Skeleton className="h-16 rounded" />
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-24 rounded" />
      <Skeleton className="h-12 rounded" />
    </Loading>
  );
}
