import { Leaf, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { fromMinor, lineTotalMinor } from '#contract/platform/money/constants';
import { formatCounted, pricedUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { canBring, handoffAtAGlance, pauseSentence } from '../../farm/model/handoff.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useHighlight, usePrevious } from '../../platform/queries/use-changes.ts';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Badge } from '../../platform/ui/primitives/Button.tsx';
import { Money, UnitPrice } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/**
 * A product in a list, highlighted when its price changes or it sells out. `gone` marks a product that
 * is no longer sold.
 */
export function ProductCard({
  product,
  gone = false,
  eager = false,
  withFarm = true,
  action,
}: {
  product: Product;
  /** A text says in which way it is gone. */
  gone?: boolean | string;
  /** Loads the picture immediately, for cards on the first screen. */
  eager?: boolean;
  /** Whether the card says whose product it is, and how one gets it: not where the page says it already. */
  withFarm?: boolean;
  /** A button at the corner of the picture, beside the card's link. */
  action?: ReactNode;
}) {
  const { name, price, unit, pieceWeight, sizes, farmer, availableUntil } = product;
  const soldOut = isSoldOut(product);
  const now = useNow(60_000);
  const paused = pauseSentence(farmer.handoff, now);
  const isOrdered = !paused && canBring(farmer.handoff, availableUntil, now);
  const isHighlighted = useHighlight(`${price} ${soldOut}`, product._id);
  return (
    <article
      className={cn(
        'group relative flex h-full flex-col overflow-hidden rounded border border-hairline bg-surface transition-colors',
        'focus-within:border-leaf hover:border-outline',
        isHighlighted && 'animate-highlight',
        gone && 'opacity-60',
      )}
    >
      <div className="relative">
        <Picture
          src={product.images[0]}
          alt=""
          ground={product.category?.name}
          fallback={categoryDrawing(product)}
          eager={eager}
          className={cn((gone || soldOut) && 'saturate-50')}
        />
        {product.isOrganic && (
          <Badge tone="leaf" icon={<Leaf />} className="absolute inset-s-2.5 top-2.5 text-sm">
            {t('Organic')}
          </Badge>
        )}
        {/* Above the link, which covers the card. */}
        {!gone && isOrdered && <div className="absolute bottom-2.5 inset-e-2.5 z-10">{action}</div>}
      </div>
      <div className="flex grow flex-col gap-1.5 p-3 sm:p-4">
        <h3 className="font-sans text-base font-semibold leading-snug">
          <Link
            href={`/products/${product._id}`}
            className="after:absolute after:inset-0 after:rounded group-hover:text-leaf focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-leaf"
          >
            <bdi>{name}</bdi>
          </Link>
        </h3>
        <p className="text-base">
          {sizes ? (
            rich('from {price}', { price: <Money amount={price} className="font-semibold" /> })
          ) : (
            <Money amount={price} per={pricedUnit(product)} className="font-semibold" />
          )}
          <UnitPrice of={product} className="block" />
          {pieceWeight && (
            <span className="block text-sm text-ink-soft">
              {rich('{estimate} a piece of {weight}', {
                estimate: (
                  <Money
                    amount={fromMinor(lineTotalMinor({ price, quantity: 1, pieceWeight }))}
                    isEstimate
                  />
                ),
                weight: formatQuantity(pieceWeight.average, unit),
              })}
            </span>
          )}
        </p>
        {withFarm && (
          <>
            <p dir="auto" className="truncate text-sm text-ink-soft">
              {farmNameOf(farmer)}
            </p>
            <Pickup product={product} />
          </>
        )}
        <p className="mt-auto empty:hidden">
          {gone ? (
            <Badge className="text-sm">{gone === true ? t('No longer on sale') : gone}</Badge>
          ) : !isOrdered && !soldOut ? (
            <Badge className="rounded whitespace-normal text-sm">
              {paused || t('Not available on any open day')}
            </Badge>
          ) : (
            // Two cards stand beside each other on a phone: a long note takes two lines.
            <StockNote product={product} className="whitespace-normal text-sm" />
          )}
        </p>
      </div>
    </article>
  );
}

/** What stands in for the picture of a product: the drawing of its category; undefined without one. */
const categoryDrawing = ({ category }: Product): ReactNode =>
  category?.icon && <CategoryIcon icon={category.icon} className="size-full p-[25%] text-5xl" />;

/**
 * Where one gets it and when, on one line of a phone. Renders by itself with the time, which the rest of a card does not
 * depend on.
 */
function Pickup({ product: { farmer, availableUntil } }: { product: Product }) {
  const { handoff, address } = farmer;
  const now = useNow(60_000);
  const glance = handoff && handoffAtAGlance(handoff, now, availableUntil);
  const town = glance?.town ?? formatTown(address);
  return (
    <div className="-mt-1.5 text-sm text-ink-soft">
      <p className="flex flex-wrap items-center gap-x-1">
        {town && (
          <span className="flex min-w-12 flex-1 items-center gap-1">
            <MapPin className="size-3.5 shrink-0" />
            <span dir="auto" className="truncate">
              {town}
            </span>
          </span>
        )}
        <span className="sm:hidden">{glance?.when}</span>
      </p>
      <p className="max-sm:hidden">{glance?.brief}</p>
    </div>
  );
}

/**
 * A badge about low stock: 'Only 3 quarts left', 'Sold out', also where the rest is less than the smallest order. When
 * the stock falls, the old number fades out beside it. Renders nothing at or above the low-stock limit.
 */
export function StockNote({ product, className }: { product: Product; className?: string }) {
  const { quantityAvailable: left } = product;
  const before = usePrevious(left);
  const fallen = before !== undefined && before > left ? before : undefined;
  const soldOut = isSoldOut(product);
  if (left >= LOW_STOCK && !soldOut) return null;
  return (
    <Badge tone={soldOut ? 'tomato' : 'straw'} className={className}>
      {soldOut
        ? soldOutWords(product)
        : t('Only {quantity} left', { quantity: formatCounted(left, product) })}
      {fallen !== undefined && (
        <del key={fallen} aria-hidden="true" className="tabular animate-fall-away no-underline">
          {formatCount(fallen)}
        </del>
      )}
    </Badge>
  );
}

/** Something that returns by itself is worth another look tomorrow. */
const soldOutWords = ({ returnsAt }: Product): string =>
  returnsAt === undefined ? t('Sold out') : t('Sold out, back in the morning');
