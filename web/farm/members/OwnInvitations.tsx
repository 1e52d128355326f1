import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/people/users/users';
import type { FarmRole } from '#contract/platform/session/constants';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { ownInvitationsQuery } from './queries.ts';

/** The names of the roles on a farm. */
export const ROLE_NAMES: Record<FarmRole, Message> = {
  owner: msg('Owner'),
  manager: msg('Manager'),
  packer: msg('Packer'),
  seller: msg('Seller'),
};

/** What each role may do, as a sentence. */
export const ROLE_TEXTS: Record<FarmRole, Message> = {
  owner: msg('Everything, the people and the farm itself included.'),
  manager: msg('Orders, products, messages and the farm profile.'),
  packer: msg('Sees orders and products, and packs.'),
  seller: msg('Hands orders over and answers messages.'),
};

/** The open invitations to somebody's own address, whether or not they were mailed; nothing without any. */
export function OwnInvitations({ me, className }: { me: User; className?: string }) {
  const { data: invitations } = useQuery({
    ...ownInvitationsQuery(),
    enabled: me.isEmailVerified !== false,
  });
  if (!invitations?.length) return null;
  return (
    <Card as="section" aria-labelledby="invitations" className={className}>
      <CardHeader id="invitations" title={t('Invitations')} />
      <ul className="grid divide-y divide-hairline">
        {invitations.map(({ _id, farm, role, invitedUntil }) => (
          <li
            key={_id}
            className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0"
          >
            <p className="min-w-0 wrap-anywhere">
              {rich(
                '{role, select, owner {{farm} invites you as owner, until {date}.} manager {{farm} invites you as manager, until {date}.} packer {{farm} invites you as packer, until {date}.} seller {{farm} invites you as seller, until {date}.} other {{farm} invites you until {date}.}}',
                {
                  role,
                  farm: <bdi className="font-medium">{farm.farmName}</bdi>,
                  date: <Time value={invitedUntil} as="date" />,
                },
              )}
            </p>
            <LinkButton
              href={`/invites/${_id}`}
              variant="secondary"
              aria-label={t('See the invitation of {farm}', { farm: farm.farmName })}
            >
              {t('See the invitation')}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
