import { AtSign, ExternalLink, Mail, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { Loading, SkeletonText } from '../../platform/ui/feedback/Skeleton.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { OpeningWeek } from './OpeningWeek.tsx';
import { openDays } from './rules.ts';

/** All that is known of the farm. */
export function FarmFacts({ detail: { farmer, profile } }: { detail: FarmerDetail }) {
  const { socialMedia: social, farmingPractices: practices, deliveryAreas = [] } = profile;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.4fr_1fr]">
      <div className="grid gap-6">
        {profile.description && (
          <Part title="About the farm">
            <p className="max-w-prose whitespace-pre-line">{profile.description}</p>
          </Part>
        )}
        {practices.length > 0 && (
          <Part title="Farming practices">
            <ul className="flex flex-wrap gap-2">
              {practices.map((practice) => (
                <li key={practice} className="min-w-0">
                  <Badge tone="leaf" className="whitespace-normal text-sm">
                    {practice}
                  </Badge>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {profile.acceptsDelivery && deliveryAreas.length > 0 && (
          <Part title="Delivers to">
            <ul className="flex flex-wrap gap-2">
              {deliveryAreas.map((area) => (
                <li key={area} className="min-w-0">
                  <Badge className="whitespace-normal text-sm">{area}</Badge>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {openDays(profile.businessHours).length > 0 && (
          <Part title="Business hours">
            <OpeningWeek hours={profile.businessHours} timeZone={profile.timeZone} />
          </Part>
        )}
      </div>
      <div className="grid gap-6">
        <Part title="Contact">
          <ul className="grid gap-1 text-sm">
            {farmer.phone && (
              <ContactLine icon={<Phone />} href={`tel:${farmer.phone}`}>
                {farmer.phone}
              </ContactLine>
            )}
            {farmer.email && (
              <ContactLine icon={<Mail />} href={`mailto:${farmer.email}`}>
                {farmer.email}
              </ContactLine>
            )}
            {social.facebook && (
              <ContactLine icon={<AtSign />} href={social.facebook} outside>
                Facebook
              </ContactLine>
            )}
            {social.instagram && (
              <ContactLine icon={<AtSign />} href={social.instagram} outside>
                Instagram
              </ContactLine>
            )}
            {social.twitter && (
              <ContactLine icon={<AtSign />} href={social.twitter} outside>
                Twitter
              </ContactLine>
            )}
          </ul>
        </Part>
      </div>
    </div>
  );
}

/** Stands in for {@link FarmFacts} while no more is known than what a list shows. */
export function FarmFactsSkeleton() {
  return (
    <Loading className="grid items-start gap-6 lg:grid-cols-[1.4fr_1fr]">
      {[5, 3].map((lines) => (
        <Card key={lines}>
          <SkeletonText lines={lines} />
        </Card>
      ))}
    </Loading>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section">
      <h2 className="mb-3 text-lg">{title}</h2>
      {children}
    </Card>
  );
}

function ContactLine({
  icon,
  href,
  outside = false,
  children,
}: {
  icon: ReactNode;
  href: string;
  /** Opens another site in a new tab. */
  outside?: boolean;
  children: ReactNode;
}) {
  return (
    <li>
      <a
        href={href}
        {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="inline-flex min-h-8 max-w-full items-center gap-2.5 rounded hover:underline pointer-coarse:min-h-11"
      >
        <span aria-hidden="true" className="text-ink-soft [&>svg]:size-4">
          {icon}
        </span>
        <span className="min-w-0 break-words">{children}</span>
        {outside && (
          <>
            <ExternalLink aria-hidden="true" className="size-3.5 text-ink-faint" />
            <span className="sr-only">(opens in a new tab)</span>
          </>
        )}
      </a>
    </li>
  );
}
