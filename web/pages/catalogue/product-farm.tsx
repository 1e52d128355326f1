import { MapPin, Store, Truck } from 'lucide-react';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { MessageFarmer } from '../../farm/farmers/MessageFarmer.tsx';
import { MessageComposer } from '../../farm/messages/MessageComposer.tsx';
import {
  deliverySentence,
  NO_HANDOFF,
  nextHandoffSentence,
  pauseSentence,
} from '../../farm/model/handoff.ts';
import { pickupSentence, pickupTown } from '../../farm/model/places.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';

/** When, how and where the product can be had. */
export function HowToGetIt({ product: { farmer, availableUntil } }: { product: Product }) {
  const now = useNow(60_000);
  const { handoff, address } = farmer;
  if (!handoff) return null;
  const pickup = pickupSentence(handoff, pickupTown(handoff, formatTown(address)));
  const delivery = deliverySentence(handoff);
  const next = pauseSentence(handoff, now)
    ? undefined
    : nextHandoffSentence(handoff, now, availableUntil);
  return (
    <section aria-label={t('How you get it')} className="grid gap-1.5 text-sm">
      {pickup && (
        <p className="flex items-start gap-2.5">
          <Store className="mt-0.5 size-4 shrink-0 text-ink-soft" />
          <span>
            {pickup}
            {next && <span className="block text-ink-soft">{next}</span>}
          </span>
        </p>
      )}
      {delivery && (
        <p className="flex items-start gap-2.5">
          <Truck className="mt-0.5 size-4 shrink-0 text-ink-soft" />
          {delivery}
        </p>
      )}
      {!pickup && !delivery && <p className="text-ink-soft">{writeMessage(NO_HANDOFF)}</p>}
    </section>
  );
}

/** The farm that sells it, and a way to write to it. */
export function Farm({ farmer }: { farmer: Product['farmer'] }) {
  const place = formatTown(farmer.address);
  return (
    <section
      aria-label={t('The farm')}
      className="grid justify-items-start gap-4 rounded border border-hairline bg-surface p-5 [&>form]:w-full"
    >
      <div className="flex w-full flex-wrap items-center justify-between gap-3">
        <div className="grid gap-0.5">
          <h2 className="text-lg">{farmNameOf(farmer)}</h2>
          {farmer.farmName && <p className="text-sm text-ink-soft wrap-anywhere">{farmer.name}</p>}
          {place && (
            <p className="flex items-center gap-1 text-sm text-ink-soft">
              <MapPin className="size-4 shrink-0" />
              {place}
            </p>
          )}
        </div>
        <LinkButton href={`/farmers/${farmer._id}`} variant="secondary">
          {t('View Farm Profile')}
        </LinkButton>
      </div>
      <MessageFarmer>
        {(close) => (
          <MessageComposer
            receiverId={farmer._id}
            label={t('Message to {name}', { name: farmNameOf(farmer) })}
            placeholder={t('Ask {farm} about this product', { farm: farmNameOf(farmer) })}
            onSent={close}
            onCancel={close}
          />
        )}
      </MessageFarmer>
    </section>
  );
}
