import type { QueryClient } from '@tanstack/react-query';
import { CalendarDays, Leaf, Package, Pencil, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { formatMoney } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import {
  formatCounted,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import { isSoldOut, stepsOf } from '#contract/platform/quantities/constants/steps';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatDay } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { ReportEntry } from '../../admin/moderation/ReportEntry.tsx';
import { FollowButton } from '../../catalogue/follows/FollowButton.tsx';
import { StockAlert } from '../../catalogue/follows/StockAlert.tsx';
import { Alternatives, prefetchAlternatives } from '../../catalogue/products/Alternatives.tsx';
import { Declarations } from '../../catalogue/products/declarations/Declarations.tsx';
import { Gallery } from '../../catalogue/products/Gallery.tsx';
import { categoryName } from '../../catalogue/products/labels.ts';
import { StockNote } from '../../catalogue/products/ProductCard.tsx';
import { productQuery, productsKeys } from '../../catalogue/products/queries.ts';
import { isOnMarket } from '../../catalogue/products/rules.ts';
import { canBring, pauseSentence } from '../../farm/model/handoff.ts';
import { PauseNotice } from '../../farm/pause/PauseNotice.tsx';
import { AddToCart } from '../../ordering/cart/AddToCart.tsx';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { FARMERS_CANNOT_ORDER } from '../../ordering/cart/use-add-to-cart.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useTitle } from '../../platform/format/market.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow, useToday } from '../../platform/hooks/use-now.ts';
import { useSeededQuery } from '../../platform/queries/seed.ts';
import { usePrevious } from '../../platform/queries/use-changes.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import {
  Alert,
  ErrorState,
  Loading,
  Skeleton,
  SkeletonText,
} from '../../platform/ui/feedback/states.tsx';
import { Badge, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Count } from '../../platform/ui/primitives/Count.tsx';
import { Money, UnitPrice } from '../../platform/ui/primitives/Money.tsx';
import { BackLink } from '../../platform/ui/primitives/sections.tsx';
import { Farm, HowToGetIt } from './product-farm.tsx';

/** Prefetches the data of the page. */
export async function prefetch(
  client: QueryClient,
  { id = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  await client.prefetchQuery(productQuery(id));
  const product = client.getQueryData(productQuery(id).queryKey);
  if (product && (isSoldOut(product) || !isOrdered(product)))
    await prefetchAlternatives(client, product);
}

/** Whether the farm takes orders, and any day for which one can order brings the product. */
const isOrdered = ({ farmer, availableUntil }: Product, now?: number): boolean =>
  !pauseSentence(farmer.handoff, now) && canBring(farmer.handoff, availableUntil, now);

/** The page of one product. */
export default function ProductPage() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useSeededQuery(productQuery(id), { lists: productsKeys.all, id });
  const { data: product, error } = query;
  const isGone = error instanceof ApiError && error.status === 404;
  useWatchProducts([id]);
  useTitle(product?.name);

  return (
    <div className="wrap py-6 sm:py-8">
      <BackLink href="/products">{t('Back to Products')}</BackLink>
      {product ? (
        <ProductDetails product={product} isGone={isGone} />
      ) : error ? (
        <>
          <h1 className="sr-only">{t('Product')}</h1>
          <ErrorState
            error={error}
            onRetry={isGone ? undefined : query.refetch}
            pending={query.isFetching}
          />
        </>
      ) : (
        <ProductSkeleton />
      )}
    </div>
  );
}

function ProductDetails({ product, isGone }: { product: Product; isGone: boolean }) {
  const { user } = useAuth();
  const isForSale = !isGone && isOnMarket(product);
  const now = useNow(60_000);
  const canBeOrdered = isForSale && isOrdered(product, now);
  if (user?.role === 'farmer') return <Facts product={product} isGone={isGone} />;
  const alternatives = (!canBeOrdered || isSoldOut(product)) && (
    <Alternatives product={product} action={(other) => <QuickAdd goods={other} />} />
  );
  if (!canBeOrdered) {
    return (
      <>
        <Facts product={product} isGone={isGone}>
          {isForSale &&
            (pauseSentence(product.farmer.handoff, now) ? (
              <PauseNotice handoff={product.farmer.handoff} />
            ) : (
              <NoDay product={product} />
            ))}
        </Facts>
        {alternatives}
      </>
    );
  }
  return (
    <AddToCart goods={product}>
      {({ controls, bar }) => (
        <>
          <Facts product={product} isGone={isGone}>
            {controls}
            {isSoldOut(product) ? (
              <StockAlert productId={product._id} />
            ) : (
              <FollowButton subject={{ kind: 'product', id: product._id }} />
            )}
          </Facts>
          {alternatives}
          {bar}
        </>
      )}
    </AddToCart>
  );
}

/** Everything about a product; `children` are the controls that put it into the cart. */
function Facts({
  product,
  isGone,
  children,
}: {
  product: Product;
  isGone: boolean;
  children?: ReactNode;
}) {
  const { user } = useAuth();
  const today = useToday();
  const { farmer, quantityAvailable: left } = product;
  const isOwn = farmIdOf(user) === farmer._id;
  const isForSale = !isGone && isOnMarket(product);
  return (
    <div className="grid gap-8 min-[56rem]:grid-cols-2 min-[56rem]:gap-12">
      <Gallery images={product.images} name={product.name} ground={product.category?.name} />
      <div className="grid content-start gap-6">
        <header className="grid gap-3">
          <p className="flex flex-wrap items-center gap-2">
            <Badge className="whitespace-normal">{categoryName(product)}</Badge>
            {product.isOrganic && (
              <Badge tone="leaf" icon={<Leaf />}>
                {t('Organic')}
              </Badge>
            )}
            {isForSale && <StockNote product={product} />}
          </p>
          <h1 className="text-3xl">{product.name}</h1>
          <Price product={product} />
        </header>

        {!isForSale && (
          <Alert kind="warning">
            {isOwn && !isGone
              ? t("Only you can see this product: it isn't on the market right now.")
              : t('This product is no longer on the market.')}
          </Alert>
        )}
        {isOwn && mayForFarm(user, 'changeProducts') && (
          <LinkButton
            href={`/farmer/products/edit/${product._id}`}
            variant="secondary"
            icon={<Pencil />}
            className="justify-self-start"
          >
            {t('Edit product')}
          </LinkButton>
        )}
        {user?.role === 'farmer' && !isOwn && (
          <Alert kind="info">{writeMessage(FARMERS_CANNOT_ORDER)}</Alert>
        )}
        {children}
        {isForSale && <HowToGetIt product={product} />}

        <p dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
          {product.description}
        </p>

        <dl className="grid gap-2.5 border-y border-hairline py-4 text-sm">
          {product.availability !== 'always' && (
            <Fact icon={<Package />} name={t('Available')}>
              <Count value={left} format={(count) => formatCounted(count, product)} />
            </Fact>
          )}
          {product.net && (
            <Fact icon={<Scale />} name={t('Content')}>
              {formatQuantity(product.net.amount, product.net.unit)}
            </Fact>
          )}
          {/* The controls have them where there are any. */}
          {!children && product.sizes && (
            <Fact icon={<Package />} name={t('Sizes')}>
              {product.sizes
                .filter(({ isActive }) => isActive)
                .map(({ _id, label, price }) => (
                  <span key={_id} className="block">
                    {t('{size}: {price}', { size: label, price: formatMoney(price) })}
                  </span>
                ))}
            </Fact>
          )}
          {/* The controls say it where there are any. */}
          {!children && Object.keys(stepsOf(product)).length > 0 && (
            <Fact icon={<Scale />} name={t('Sold')}>
              {formatSteps(product, quantityUnit(product))}
            </Fact>
          )}
          {product.pieceWeight && (
            <Fact icon={<Scale />} name={t('Weight')}>
              {formatPieceWeight(product.pieceWeight, product.unit)}
              <span className="block text-ink-soft">
                {t(
                  'You order pieces and pay what yours weigh. The price is an estimate until then.',
                )}
              </span>
            </Fact>
          )}
          {product.harvestDate && (
            <Fact icon={<CalendarDays />} name={t('Harvested')}>
              {formatFullDay(product.harvestDate, today, 'year')}
            </Fact>
          )}
          {product.availableUntil && (
            <Fact icon={<CalendarDays />} name={t('Available until')}>
              {formatFullDay(product.availableUntil, today, 'year')}
            </Fact>
          )}
        </dl>

        <Declarations product={product} />
        <Farm farmer={farmer} />
        {!isGone && <ReportEntry kind="product" id={product._id} aboutId={farmer._id} />}
      </div>
    </div>
  );
}

/** Says why no order can be for the product. */
function NoDay({ product: { availableUntil } }: { product: Product }) {
  const today = useToday();
  return (
    <Alert kind="warning">
      {availableUntil
        ? t(
            "You can't order this any more. It can be had until {day}, and no day until then takes orders.",
            {
              day: formatDay(availableUntil, today),
            },
          )
        : t("You can't order this at the moment, because no day of the farm takes orders.")}
    </Alert>
  );
}

/** The price, and a message when it changes while the page is open. */
function Price({ product }: { product: Product }) {
  const { price, sizes } = product;
  const before = usePrevious(price);
  return (
    <div className="grid gap-2">
      <p className="text-xl">
        {sizes ? (
          rich('from {price}', { price: <Money amount={price} className="font-semibold" /> })
        ) : (
          <Money amount={price} per={pricedUnit(product)} className="font-semibold" />
        )}
        <UnitPrice of={product} className="block text-sm" />
      </p>
      {before !== undefined && (
        <Alert kind="info" className="animate-fade-in">
          {t('The price has just changed from {before} to {now}.', {
            before: formatMoney(before),
            now: formatMoney(price),
          })}
        </Alert>
      )}
    </div>
  );
}

const Fact = ({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) => (
  <div className="flex items-center gap-2.5">
    <dt className="flex items-center gap-2.5 text-ink-soft">
      <span aria-hidden="true" className="[&>svg]:size-4">
        {icon}
      </span>
      {name}
    </dt>
    <dd className="font-medium">{children}</dd>
  </div>
);

const ProductSkeleton = () => (
  <Loading className="grid gap-8 min-[56rem]:grid-cols-2 min-[56rem]:gap-12">
    <Skeleton className="aspect-square w-full rounded max-sm:aspect-4/3" />
    <div className="grid content-start gap-6">
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-7 w-40" />
      <SkeletonText lines={4} />
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="h-28 w-full rounded" />
    </div>
  </Loading>
);
