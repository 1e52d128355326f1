import { Leaf } from 'lucide-react';
import type { OrganicCertificate } from '#contract/farm/certificate/certificate';
import { isCertified } from '#contract/farm/certificate/constants';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { useNow } from '../../platform/hooks/use-now.ts';
import { Badge } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';

const DAY_STEP_MS = 60_000;

/** A farm's organic certificate on its page: the code, until when it is valid, and its picture. */
export function CertificateFacts({
  certificate,
  timeZone,
}: {
  certificate: OrganicCertificate;
  /** The farm's. */
  timeZone: string;
}) {
  const { code, image, validUntil } = certificate;
  const today = dayIn(timeZone, useNow(DAY_STEP_MS));
  const day = formatFullDay(validUntil, today, 'year');
  const holds = isCertified(certificate, today);
  return (
    <Card as="section" className="grid justify-items-start gap-3">
      <h2 className="text-lg">{t('Organic certificate')}</h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={holds ? 'leaf' : 'neutral'} icon={<Leaf />} className="text-sm">
          <bdi>{code}</bdi>
        </Badge>
        <span className="text-sm text-ink-soft">
          {holds ? t('Valid until {day}', { day }) : t('It was valid until {day}.', { day })}
        </span>
      </p>
      <a href={image} target="_blank" rel="noreferrer" className="rounded">
        <Picture
          src={image}
          alt={t('Picture of the certificate')}
          sizes="12rem"
          className="aspect-3/4 w-40 rounded border border-hairline"
        />
        <span className="sr-only">{t('(opens in a new tab)')}</span>
      </a>
    </Card>
  );
}
