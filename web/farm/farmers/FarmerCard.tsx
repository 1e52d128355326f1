import { CalendarClock, MapPin, Store } from 'lucide-react';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerCard as Farmer, Handoff } from '#contract/farm/farmers/farmers';
import { formatPlace, plural } from '../../platform/format/format.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { handoffSentence, nextHandoffSentence } from '../model/handoff.ts';
import { FarmCover, FarmPhoto } from './FarmCover.tsx';

const PRACTICES_SHOWN = 3;

/** A farm in a list. */
export function FarmerCard({ farmer }: { farmer: Farmer }) {
  const { farmName, name, farmingPractices: practices } = farmer;
  const title = farmNameOf(farmer);
  const place = formatPlace(farmer.address);
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded border border-hairline bg-surface transition-colors focus-within:border-leaf hover:border-outline">
      <FarmCover
        title={title}
        cover={farmer.cover}
        sizes="(min-width: 64rem) 25rem, (min-width: 40rem) 50vw, 100vw"
      />
      {/* In the picture, so that cards with and without one have their names in a line. */}
      <div className="relative">
        <FarmPhoto photo={farmer.photo} className="absolute bottom-3 left-4 size-16 border-2" />
      </div>
      <div className="flex grow flex-col gap-2 p-4">
        <div>
          <h3 className="font-display text-lg font-semibold leading-snug">
            <Link
              href={`/farmers/${farmer._id}`}
              className="after:absolute after:inset-0 after:rounded group-hover:text-leaf focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-leaf"
            >
              {title}
            </Link>
          </h3>
          {farmName && name !== farmName && <p className="text-sm text-ink-soft">{name}</p>}
        </div>
        {place && (
          <p className="flex items-center gap-1 text-sm text-ink-soft">
            <MapPin aria-hidden="true" className="size-3.5 shrink-0" />
            {place}
          </p>
        )}
        {farmer.handoff && (
          <p className="flex items-start gap-1 text-sm text-ink-soft">
            <Store aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            {handoffSentence(farmer.handoff)}
          </p>
        )}
        {farmer.handoff && <NextHandoff handoff={farmer.handoff} />}
        {farmer.description && <p className="line-clamp-3 text-sm">{farmer.description}</p>}
        <p className="mt-auto flex flex-wrap items-center gap-1.5 pt-1">
          <Badge tone="leaf" className="text-sm">
            {plural(farmer.productCount, 'product')}
          </Badge>
          {practices.slice(0, PRACTICES_SHOWN).map((practice) => (
            <Badge key={practice} className="max-w-full truncate text-sm">
              {practice}
            </Badge>
          ))}
        </p>
      </div>
    </article>
  );
}

/** When the farm hands over next. Renders by itself with the time, which the rest of a card does not depend on. */
function NextHandoff({ handoff }: { handoff: Handoff }) {
  const next = nextHandoffSentence(handoff, useNow(60_000));
  if (!next) return null;
  return (
    <p className="flex items-start gap-1 text-sm text-ink-soft">
      <CalendarClock aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      {next}
    </p>
  );
}
