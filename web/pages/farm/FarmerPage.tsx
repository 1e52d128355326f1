import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CalendarDays, type LucideIcon, MapPin, Store, Truck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerCard } from '#contract/farm/farmers/farmers';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { ReportEntry } from '../../admin/moderation/ReportEntry.tsx';
import { FollowButton } from '../../catalogue/follows/FollowButton.tsx';
import { CertificateFacts } from '../../farm/certificate/CertificateFacts.tsx';
import { FarmCover, FarmPhoto } from '../../farm/farmers/FarmerCard.tsx';
import { FarmFacts, FarmFactsSkeleton } from '../../farm/farmers/FarmFacts.tsx';
import { FarmPlaces } from '../../farm/farmers/FarmPlaces.tsx';
import { MessageFarmer } from '../../farm/farmers/MessageFarmer.tsx';
import { farmerQuery, farmersKeys } from '../../farm/farmers/queries.ts';
import { type FarmSummary, summaryOf } from '../../farm/farmers/rules.ts';
import { MessageComposer } from '../../farm/messages/MessageComposer.tsx';
import { deliverySentence, nextHandoffSentence, pauseSentence } from '../../farm/model/handoff.ts';
import { pickupSentence, pickupTown } from '../../farm/model/places.ts';
import { PauseNotice } from '../../farm/pause/PauseNotice.tsx';
import { ApiError } from '../../platform/api/api-error.ts';
import { useTitle } from '../../platform/format/market.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { findInLists } from '../../platform/queries/seed.ts';
import {
  Alert,
  EmptyState,
  ErrorState,
  Loading,
  Skeleton,
  SkeletonText,
} from '../../platform/ui/feedback/states.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { BackLink } from '../../platform/ui/primitives/sections.tsx';
import { FarmProducts, prefetchProducts } from './FarmProducts.tsx';

/** Prefetches the data of the page. */
export const prefetch = (
  client: QueryClient,
  { id = '' }: Readonly<Record<string, string>>,
  search: string,
) => Promise.all([client.prefetchQuery(farmerQuery(id)), prefetchProducts(client, id, search)]);

/**
 * The page of one farm: profile, business hours and products. Until its own answer is there it shows what a list knows
 * of the farm.
 */
export default function FarmerPage() {
  const { id = '' } = useParams<{ id: string }>();
  const cache = useQueryClient();
  const query = useQuery(farmerQuery(id));
  const { data, error } = query;
  const isUnknown = error instanceof ApiError && error.status === 404;
  const summary = data ? summaryOf(data) : findInLists<FarmerCard>(cache, farmersKeys.all, id);
  useTitle(isUnknown ? undefined : summary && farmNameOf(summary));
  const failure = error && (
    <ErrorState error={error} onRetry={query.refetch} pending={query.isFetching} />
  );

  if (isUnknown) {
    return (
      <div className="wrap py-8">
        <EmptyState drawing="farm" title={t('Farmer not found')} level={1}>
          <LinkButton href="/farmers">{t('Back to Farmers')}</LinkButton>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="wrap py-6 sm:py-8">
      <BackLink href="/farmers">{t('Back to Farmers')}</BackLink>
      {summary ? (
        <div className="grid gap-8 sm:gap-12">
          {data?.isSuspended && (
            <Alert kind="warning">
              {t('This farm is off the market for now. Orders that were placed before go on.')}
            </Alert>
          )}
          {data?.isDraft && (
            <Alert kind="info" className="-mb-4 sm:-mb-8">
              {t(
                'This farm is not in the market yet. Only the people of the farm and admins see this page.',
              )}
            </Alert>
          )}
          <FarmHead farm={summary} isSuspended={data?.isSuspended} />
          {!data?.isSuspended && (
            <PauseNotice handoff={summary.handoff} className="-my-4 sm:-my-8" />
          )}
          <FarmProducts farmerId={id} />
          {data?.handoff && data.places && data.places.length > 0 && (
            <FarmPlaces places={data.places} handoff={data.handoff} />
          )}
          {data ? <FarmFacts detail={data} /> : failure || <FarmFactsSkeleton />}
          {data?.profile.certificate && (
            <CertificateFacts
              certificate={data.profile.certificate}
              timeZone={data.profile.timeZone}
            />
          )}
          <ReportEntry kind="farm" id={id} aboutId={id} />
        </div>
      ) : (
        failure || <FarmSkeleton />
      )}
    </div>
  );
}

/** The farm in a few words: name, place, and how its goods can be had. */
function FarmHead({ farm, isSuspended }: { farm: FarmSummary; isSuspended?: boolean | undefined }) {
  const { handoff, establishedYear } = farm;
  const title = farmNameOf(farm);
  const place = formatTown(farm.address);
  const now = useNow(60_000);
  const hidesNext = isSuspended || pauseSentence(handoff, now);
  const next = handoff && !hidesNext && nextHandoffSentence(handoff, now);
  return (
    <div className="overflow-hidden rounded border border-hairline bg-surface">
      <FarmCover
        title={title}
        cover={farm.cover}
        alt={t('The cover picture of {name}', { name: title })}
        sizes="(min-width: 76rem) 72rem, 100vw"
        wide
        eager
        className="max-h-72 w-full sm:aspect-4/1"
      />
      <div className="flex flex-wrap items-start justify-between gap-4 p-5 sm:p-6">
        <FarmPhoto
          photo={farm.photo}
          alt={t('Photo of {name}', { name: title })}
          className="relative -mt-16 size-24 shrink-0 border-4 sm:-mt-20 sm:size-32"
        />
        <div className="grid grow gap-1">
          <h1 className="text-3xl">{title}</h1>
          {farm.farmName && <p className="text-ink-soft">{farm.name}</p>}
          <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
            {place && <IconLine icon={MapPin}>{place}</IconLine>}
            {typeof establishedYear === 'number' && (
              <IconLine icon={CalendarDays}>
                {t('Established {year}', { year: establishedYear })}
              </IconLine>
            )}
          </p>
          <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {handoff && (
              <>
                <IconLine icon={Store}>
                  {pickupSentence(handoff, pickupTown(handoff, place)) ?? t('No pickup')}
                </IconLine>
                <IconLine icon={Truck}>{deliverySentence(handoff) ?? t('No delivery')}</IconLine>
              </>
            )}
            {next && (
              <IconLine icon={CalendarClock}>
                {farm.handoff?.places ? (
                  <a href="#pickup-places" className="link">
                    {next}
                  </a>
                ) : (
                  next
                )}
              </IconLine>
            )}
          </p>
          {!isSuspended && (
            <div className="pt-3 empty:hidden">
              <FollowButton subject={{ kind: 'farm', id: farm._id }} />
            </div>
          )}
        </div>
        {/* Off the market, a farm begins no conversation; those there are stand in the messages. */}
        {!isSuspended && (
          <MessageFarmer>
            {(close) => (
              <div className="w-full">
                <MessageComposer
                  receiverId={farm._id}
                  label={t('Message to {name}', { name: title })}
                  placeholder={t('Write to {name}', { name: title })}
                  onSent={close}
                  onCancel={close}
                />
              </div>
            )}
          </MessageFarmer>
        )}
      </div>
    </div>
  );
}

const IconLine = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <span className="flex items-start gap-1.5">
    <Icon className="mt-0.5 size-4 shrink-0 text-ink-soft" />
    {children}
  </span>
);

const FarmSkeleton = () => (
  <Loading className="grid gap-6">
    <Skeleton className="aspect-2/1 max-h-72 w-full rounded sm:aspect-4/1" />
    <Skeleton className="h-10 w-1/2" />
    <SkeletonText lines={5} />
  </Loading>
);
