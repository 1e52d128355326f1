import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/people/users/users';
import type { FarmRole } from '#contract/platform/session/constants';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { ownInvitationsQuery } from './queries.ts';

/** The names of the roles on a farm. */
export const ROLE_NAMES: Record<FarmRole, string> = {
  owner: 'Owner',
  manager: 'Manager',
  packer: 'Packer',
  seller: 'Seller',
};

/** What each role may do, as a sentence. */
export const ROLE_TEXTS: Record<FarmRole, string> = {
  owner: 'Everything, the people and the farm itself included.',
  manager: 'Orders, products, messages and the farm profile.',
  packer: 'Sees orders and products, and packs.',
  seller: 'Hands orders over and answers messages.',
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
      <CardHeader id="invitations" title="Invitations" />
      <ul className="grid divide-y divide-hairline">
        {invitations.map(({ _id, farm, role, invitedUntil }) => (
          <li
            key={_id}
            className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0"
          >
            <p className="min-w-0 break-words">
              <span className="font-medium">{farm.farmName}</span> invites you as{' '}
              {(ROLE_NAMES[role] ?? role).toLowerCase()}, until{' '}
              <Time value={invitedUntil} as="date" />.
            </p>
            <LinkButton
              href={`/invites/${_id}`}
              variant="secondary"
              aria-label={`See the invitation of ${farm.farmName}`}
            >
              See the invitation
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
