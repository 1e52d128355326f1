import { CalendarClock, MapPin, Store } from 'lucide-react';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerCard as Farmer, Handoff } from '#contract/farm/farmers/farmers';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { SkeletonCards } from '../../platform/ui/feedback/states.tsx';
import { Badge } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { handoffSentence, nextHandoffSentence, pauseSentence } from '../model/handoff.ts';

const PRACTICES_SHOWN = 3;

/** A farm in a list. */
export function FarmerCard({
  farmer,
  distance,
}: {
  farmer: Farmer;
  /** How far it is from the reader, where that is known. */
  distance?: string | undefined;
}) {
  const { farmName, name, farmingPractices: practices } = farmer;
  const title = farmNameOf(farmer);
  const place = formatTown(farmer.address);
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded border border-hairline bg-surface transition-colors focus-within:border-leaf hover:border-outline">
      <FarmCover
        title={title}
        cover={farmer.cover}
        sizes="(min-width: 64rem) 25rem, (min-width: 40rem) 50vw, 100vw"
      />
      {/* In the picture, so that cards with and without one have their names in a line. */}
      <div className="relative">
        <FarmPhoto photo={farmer.photo} className="absolute bottom-3 inset-s-4 size-16 border-2" />
      </div>
      <div className="flex grow flex-col gap-2 p-4">
        <div>
          <h3 className="font-display text-lg font-semibold leading-snug">
            <Link
              href={`/farmers/${farmer._id}`}
              className="after:absolute after:inset-0 after:rounded group-hover:text-leaf focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-leaf"
            >
              <bdi>{title}</bdi>
            </Link>
          </h3>
          {farmName && name !== farmName && (
            <p className="text-sm text-ink-soft">
              <bdi>{name}</bdi>
            </p>
          )}
        </div>
        {distance && <p className="text-sm font-medium">{distance}</p>}
        {place && (
          <p className="flex items-center gap-1 text-sm text-ink-soft">
            <MapPin className="size-3.5 shrink-0" />
            <bdi>{place}</bdi>
          </p>
        )}
        {farmer.handoff && (
          <p className="flex items-start gap-1 text-sm text-ink-soft">
            <Store className="mt-0.5 size-3.5 shrink-0" />
            {handoffSentence(farmer.handoff)}
          </p>
        )}
        {farmer.handoff && <NextHandoff handoff={farmer.handoff} />}
        {farmer.description && (
          <p dir="auto" className="line-clamp-3 text-sm">
            {farmer.description}
          </p>
        )}
        <p className="mt-auto flex flex-wrap items-center gap-1.5 pt-1">
          <Badge tone="leaf" className="text-sm">
            {t('{count, plural, one {# product} other {# products}}', {
              count: farmer.productCount,
            })}
          </Badge>
          {practices.slice(0, PRACTICES_SHOWN).map((practice) => (
            <Badge key={practice} className="max-w-full truncate text-sm">
              <bdi>{practice}</bdi>
            </Badge>
          ))}
        </p>
      </div>
    </article>
  );
}

/** When the farm hands over next, or takes orders again. Renders by itself with the time, which the rest of a card does not depend on. */
function NextHandoff({ handoff }: { handoff: Handoff }) {
  const now = useNow(60_000);
  const next = pauseSentence(handoff, now) ?? nextHandoffSentence(handoff, now);
  if (!next) return null;
  return (
    <p className="flex items-start gap-1 text-sm text-ink-soft">
      <CalendarClock className="mt-0.5 size-3.5 shrink-0" />
      {next}
    </p>
  );
}

/** The wide picture of a farm: the farmer's own, or the landscape that is drawn from its name. */
export function FarmCover({
  title,
  cover,
  alt = '',
  sizes,
  wide = false,
  eager = false,
  className,
}: {
  /** The name under which the farm is known. */
  title: string;
  cover: string | null | undefined;
  /** Describes the farmer's own picture; a drawn one is decoration. */
  alt?: string;
  sizes?: string;
  /** For a banner, which shows only the middle of the landscape. */
  wide?: boolean;
  eager?: boolean;
  /** The frame's shape; two to one by default. */
  className?: string;
}) {
  return (
    <Picture
      src={cover}
      alt={alt}
      ground={title}
      eager={eager}
      {...(sizes ? { sizes } : {})}
      fallback={<FarmLandscape name={title} wide={wide} className="aspect-auto h-full" />}
      className={cn('aspect-2/1', className)}
    />
  );
}

/** The round picture of the people or the place; nothing without one. */
export function FarmPhoto({
  photo,
  alt = '',
  className,
}: {
  photo: string | null | undefined;
  alt?: string;
  /** Its place and size. */
  className: string;
}) {
  if (!photo) return null;
  return (
    <Picture
      src={photo}
      alt={alt}
      sizes="7rem"
      className={cn('rounded-full border-surface bg-surface', className)}
    />
  );
}

/** The grid of farm cards. */
export const FARMERS_GRID_CLASS = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';

/** Farm cards that are being loaded. */
export const FarmerCardSkeletons = ({ cards }: { cards: number }) => (
  <SkeletonCards cards={cards} gridClass={FARMERS_GRID_CLASS} pictureClass="aspect-2/1" />
);
