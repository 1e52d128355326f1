import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Ban, KeyRound, MessageCircle, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { AdminPerson } from '#contract/admin/admin/admin';
import { readableEmail } from '#contract/platform/http/email';
import { formatMoney } from '#contract/platform/money/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame, roleTone } from '../../admin/admin/AdminFrame.tsx';
import { AuditTable } from '../../admin/admin/AuditTable.tsx';
import { UserNotes } from '../../admin/admin/Notes.tsx';
import {
  PagedPart,
  PersonOrders,
  PersonProducts,
  RemoveSecondFactorDialog,
  SuspendDialog,
  SuspensionNotice,
  UnreachableNotice,
} from '../../admin/admin/person/PersonParts.tsx';
import { auditQuery, personQuery } from '../../admin/admin/queries.ts';
import { Fact } from '../../admin/model/cells.tsx';
import { StatusShares } from '../../ordering/orders/figures/StatusShares.tsx';
import { roleName } from '../../platform/format/format.ts';
import { useTitle } from '../../platform/format/market.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Alert, Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Badge, Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { BackLink, Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';

/** Prefetches the person when a link to them is hovered. */
export const prefetch = (client: QueryClient, { id = '' }: Readonly<Record<string, string>>) =>
  client.prefetchQuery(personQuery(id));

/** One person: contact, farm, orders, products, and what admins did that concerns them. */
export default function AdminUserPage() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(personQuery(id));
  const { user } = query.data ?? {};
  useTitle(user?.name);
  return (
    <AdminFrame title={user?.name ?? t('User')}>
      <BackLink href="/admin/users" className="mb-2">
        {t('Back to Users')}
      </BackLink>
      <Fetched
        query={query}
        skeleton={
          <Loading className="grid gap-4">
            <Skeleton className="h-40" />
            <Skeleton className="h-64" />
          </Loading>
        }
      >
        {(person) => <Person key={id} person={person} />}
      </Fetched>
    </AdminFrame>
  );
}

function Person({ person }: { person: AdminPerson }) {
  const { user, isDeleted, isFarm } = person;
  return (
    <div className="grid gap-4">
      {isFarm && (
        <Alert kind="info">
          {t('The founder of this farm has left it. Its other people run it now.')}
        </Alert>
      )}
      {isDeleted && (
        <Alert kind="info">
          {t('This account was deleted. Its orders stay for the other side.')}
        </Alert>
      )}
      <SuspensionNotice person={person} />
      <UnreachableNotice person={person} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AccountCard person={person} />
        <Card as="section" aria-labelledby="figures">
          <CardHeader id="figures" title={t('Orders by status')} />
          <StatusShares counts={person.ordersByStatus} className="gap-2" />
          <p className="mt-4 text-sm text-ink-soft">
            {t('Completed orders: {amount}', {
              amount: formatMoney(person.completedTotal),
            })}
          </p>
        </Card>
      </div>
      {user.role !== 'admin' && <PersonOrders person={user} />}
      {user.role === 'farmer' && !isDeleted && <PersonProducts person={user} />}
      {user.role !== 'admin' && <UserNotes userId={user._id} />}
      <AuditPart person={person} />
    </div>
  );
}

function AccountCard({
  person: { user, farm, isDeleted, isFarm, suspension, productCount, hasSecondFactor = false },
}: {
  person: AdminPerson;
}) {
  const { user: me } = useAuth();
  const [, navigate] = useLocation();
  const removeSecondFactor = hasSecondFactor && (
    <AskingButton
      icon={<KeyRound />}
      label={t('Remove second factor')}
      dialog={(close) => <RemoveSecondFactorDialog user={user} onClose={close} />}
    />
  );
  return (
    <Card as="section" aria-labelledby="account">
      <CardHeader id="account" title={t('Account')}>
        <Badge tone={roleTone[user.role]}>{roleName(user.role)}</Badge>
      </CardHeader>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {!isDeleted && (
          <>
            {user.email !== '' && (
              <Fact name={t('Email')}>
                <a href={`mailto:${user.email}`} className="link inline-block py-0.5 break-all">
                  {readableEmail(user.email)}
                </a>
              </Fact>
            )}
            <Fact name={t('Phone')}>{user.phone || t('No phone given')}</Fact>
            <Fact name={t('Address')}>{formatAddress(user.address) || t('No address given')}</Fact>
            {!isFarm && (
              <Fact name={t('Second factor')}>{hasSecondFactor ? t('On') : t('None')}</Fact>
            )}
          </>
        )}
        <Fact name={t('Joined')}>
          <Time value={user.createdAt} as="day" />
        </Fact>
        {user.role === 'farmer' && <Fact name={t('Products')}>{formatCount(productCount)}</Fact>}
        {farm && (
          <>
            <Fact name={t('Farm')}>{farm.farmName || t('No name given')}</Fact>
            <Fact name={t('Farming practices')}>
              {farm.farmingPractices.length > 0
                ? listOf(farm.farmingPractices, 'unit')
                : t('None given')}
            </Fact>
            <Fact name={t('Offers')}>
              {t(
                '{ways, select, both {pickup and delivery} pickup {pickup} delivery {delivery} other {neither pickup nor delivery}}',
                { ways: waysOf(farm) },
              )}
            </Fact>
          </>
        )}
      </dl>
      {!isDeleted && user.role === 'admin' && user._id !== me?._id && removeSecondFactor && (
        <div className="mt-5">{removeSecondFactor}</div>
      )}
      {!isDeleted && user.role !== 'admin' && (
        <div className="mt-5 flex flex-wrap gap-2">
          <LinkButton
            href={`/admin/messages/${user._id}`}
            variant="secondary"
            icon={<MessageCircle />}
          >
            {t('verb|Message')}
          </LinkButton>
          {user.role === 'farmer' && (
            <LinkButton href={`/farmers/${user._id}`} variant="quiet">
              {t('View farm page')}
            </LinkButton>
          )}
          {!suspension && (
            <AskingButton
              icon={<Ban />}
              label={t('Suspend')}
              dialog={(close) => (
                <SuspendDialog
                  user={user}
                  kind={isFarm ? 'farm' : farm ? 'founder' : 'person'}
                  onClose={close}
                />
              )}
            />
          )}
          {removeSecondFactor}
          {!isFarm && (
            <AskingButton
              icon={<Trash2 />}
              label={t('Delete')}
              dialog={(close) => (
                <DeleteUserDialog
                  user={user}
                  onClose={close}
                  onDeleted={() => navigate('/admin/users')}
                />
              )}
            />
          )}
        </div>
      )}
    </Card>
  );
}

const waysOf = ({
  acceptsPickup,
  acceptsDelivery,
}: Pick<NonNullable<AdminPerson['farm']>, 'acceptsPickup' | 'acceptsDelivery'>) =>
  acceptsPickup ? (acceptsDelivery ? 'both' : 'pickup') : acceptsDelivery ? 'delivery' : 'none';

/** A button for what is asked for in a dialog first. */
function AskingButton({
  icon,
  label,
  dialog,
}: {
  icon: ReactNode;
  label: string;
  dialog: (close: () => void) => ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger-quiet" icon={icon} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && dialog(() => setAsking(false))}
    </>
  );
}

function AuditPart({ person: { user } }: { person: AdminPerson }) {
  const query = useInfiniteQuery(
    auditQuery(user.role === 'admin' ? { admin: user._id } : { user: user._id }),
  );
  return (
    <PagedPart
      id="person-audit"
      title={user.role === 'admin' ? t('What they did') : t('What admins did')}
      query={query}
      empty={t('Nothing yet.')}
    >
      {(entries) => <AuditTable entries={entries} />}
    </PagedPart>
  );
}
