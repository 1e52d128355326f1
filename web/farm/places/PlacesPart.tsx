import { useQuery } from '@tanstack/react-query';
import { Clock, MapPin, Phone, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Place } from '#contract/farm/places/places';
import type { User } from '#contract/people/users/users';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { mayForFarm } from '../../platform/session/session.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert, EmptyState, Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Badge, Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader, RowActions } from '../../platform/ui/primitives/sections.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { type FirstPlace, hoursLine, useRemovePlace } from './place-form.ts';
import { placesQuery } from './queries.ts';

/** What is open for editing: a place by its id, or a new one. */
type Editing = Place['_id'] | 'new' | null;

/** The farm's pickup places, a card of its settings: users who may change the farm add and change them. */
export function PlacesPart({
  me,
  farm,
}: {
  me: User;
  /** Undefined until it is known. */
  farm: FirstPlace | undefined;
}) {
  const query = useQuery(placesQuery());
  const places = query.data;
  const [editing, setEditing] = useState<Editing>(null);
  const [toRemove, setToRemove] = useState<Place | null>(null);
  const mayChange = mayForFarm(me, 'changeFarm');
  const close = () => setEditing(null);
  const isFirst = places?.length === 0;
  const first = isFirst ? farm : undefined;
  return (
    <Card as="section" aria-labelledby="places" className="max-w-3xl">
      <CardHeader id="places" title={t('Pickup places')}>
        {mayChange && editing === null && (
          <Button icon={<Plus />} size="sm" onClick={() => setEditing('new')}>
            {t('Add a place')}
          </Button>
        )}
      </CardHeader>
      {editing === 'new' && (
        <div className="mb-6 border-b border-hairline pb-6">
          {isFirst && (
            <Alert kind="info" className="mb-6">
              {t(
                'Once you save it, customers choose one of the times of your places and no longer write down where and when they come. To go on handing over at the farm, let this place be the farm: what we know of its address and hours is filled in. Orders that you have stay as they are.',
              )}
            </Alert>
          )}
          {/* Begins again once it is known what to begin with; what was typed before is in its draft. */}
          <PlaceForm key={first ? 'first' : 'further'} first={first} onDone={close} />
        </div>
      )}
      <Fetched query={query} skeleton={<SkeletonRows rows={3} />}>
        {(places) =>
          places.length === 0 ? (
            editing === null && <NoPlaces mayChange={mayChange} />
          ) : (
            <ul className="grid divide-y divide-hairline">
              {places.map((place) => (
                <li key={place._id} className="py-4 first:pt-0 last:pb-0">
                  {editing === place._id ? (
                    <PlaceForm place={place} onDone={close} />
                  ) : (
                    <PlaceRow place={place}>
                      {mayChange && editing === null && (
                        <div className="flex gap-1">
                          <RowActions
                            name={place.name}
                            onEdit={() => setEditing(place._id)}
                            onRemove={() => setToRemove(place)}
                          />
                        </div>
                      )}
                    </PlaceRow>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      {places && places.length > 0 && (
        <p className="mt-4 border-t border-hairline pt-4 text-sm">
          <Link href="/farmer/slots" className="link">
            {t('See the slots of the week')}
          </Link>
        </p>
      )}
      {toRemove && <RemoveDialog place={toRemove} onClose={() => setToRemove(null)} />}
    </Card>
  );
}

function NoPlaces({ mayChange }: { mayChange: boolean }) {
  return (
    <EmptyState
      drawing="basket"
      title={t('No pickup places yet')}
      level={3}
      text={
        mayChange
          ? t(
              'Until you add one, customers write down where and when they come. With a place they choose one of its times, and no time gets too full.',
            )
          : t('Customers write down where and when they come.')
      }
    />
  );
}

function PlaceRow({ place, children }: { place: Place; children: ReactNode }) {
  const hours = hoursLine(place.hours);
  return (
    <div className="grid gap-2 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="grid min-w-0 gap-1 text-sm">
        <h3 className="flex flex-wrap items-center gap-2 font-sans text-base font-medium">
          <bdi className="break-words">{place.name}</bdi>
          {!place.isActive && <Badge tone="straw">{t('Not offered')}</Badge>}
        </h3>
        <Line icon={<MapPin />}>
          <bdi>{formatAddress(place.address)}</bdi>
        </Line>
        <Line icon={<Clock />}>{hours || t('No hours yet')}</Line>
        {place.phone && (
          <Line icon={<Phone />}>
            <bdi dir="ltr">{place.phone}</bdi>
          </Line>
        )}
        {place.directions && (
          <p dir="auto" className="whitespace-pre-line break-words text-ink-soft">
            {place.directions}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-soft">
      {icon}
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

function RemoveDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const remove = useRemovePlace();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Remove {name}?', { name: place.name })}
      description={t('Its slots are gone at once. Orders of the past keep its name and address.')}
      confirmLabel={t('Remove')}
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(place, { onSuccess: onClose })}
    >
      {remove.isError && (
        <ErrorAlert error={remove.error}>
          {' '}
          <Link href="/farmer/slots" className="font-medium underline underline-offset-2">
            {t('Go to the slots')}
          </Link>
        </ErrorAlert>
      )}
    </ConfirmDialog>
  );
}
