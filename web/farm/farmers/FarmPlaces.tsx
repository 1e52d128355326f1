import { CalendarClock, MapPin, MapPinned } from 'lucide-react';
import type { Handoff, PublicPlace } from '#contract/farm/farmers/farmers';
import { formatPosition } from '#contract/farm/places/constants/positions';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { directionsLink, nextTimes } from '../model/places.ts';

/** Where a farm hands over its goods, when next, and the way there. */
export function FarmPlaces({
  places,
  handoff,
}: {
  places: readonly PublicPlace[];
  handoff: Handoff;
}) {
  const now = useNow(60_000);
  return (
    <section aria-labelledby="pickup-places">
      <h2 id="pickup-places" className="mb-4 text-xl">
        {t('Pickup places')}
      </h2>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {places.map((place) => (
          <li key={place._id}>
            <PlaceCard place={place} times={nextTimes({ ...handoff, ...place }, now)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlaceCard({ place, times }: { place: PublicPlace; times: readonly string[] }) {
  const address = formatAddress(place.address);
  const way = directionsLink(place.position ? formatPosition(place.position) : address, address);
  return (
    <Card className="flex h-full flex-col gap-2 text-sm [&_svg]:size-4 [&_svg]:shrink-0">
      <h3 className="break-words font-sans text-base font-semibold">
        <bdi>{place.name}</bdi>
      </h3>
      <p className="flex items-start gap-2">
        <MapPin className="mt-0.5 text-ink-soft" />
        <bdi className="min-w-0 break-words">{address}</bdi>
      </p>
      <div className="flex items-start gap-2">
        <CalendarClock className="mt-0.5 text-ink-soft" />
        {times.length > 0 ? (
          <ul aria-label={t('Next pickups')}>
            {times.map((time) => (
              <li key={time} className="first-letter:uppercase">
                {time}
              </li>
            ))}
          </ul>
        ) : (
          <p>{t('No pickup in the next weeks')}</p>
        )}
      </div>
      {place.directions && (
        <p dir="auto" className="whitespace-pre-line break-words text-ink-soft">
          {place.directions}
        </p>
      )}
      {way && (
        <a
          href={way}
          target="_blank"
          rel="noreferrer"
          className="link mt-auto inline-flex min-h-8 items-center gap-1.5 self-start pointer-coarse:min-h-11"
        >
          <MapPinned />
          {rich('Directions<span> (opens a map in a new tab)</span>', {
            span: (inner) => <span className="sr-only">{inner}</span>,
          })}
        </a>
      )}
    </Card>
  );
}
