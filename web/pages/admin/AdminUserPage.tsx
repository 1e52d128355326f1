import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Ban, KeyRound, MessageCircle, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { AdminPerson } from '#contract/admin/admin/admin';
import { formatMoney } from '#contract/platform/money/constants/money';
import { formatAddress } from '#contract/platform/text/constants/address';
import { formatCount } from '#contract/platform/text/constants/locale';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { AuditTable } from '../../admin/admin/AuditTable.tsx';
import { auditQuery, personQuery } from '../../admin/admin/case-queries.ts';
import { UserNotes } from '../../admin/admin/Notes.tsx';
import { PagedPart } from '../../admin/admin/PagedPart.tsx';
import { DeleteUserDialog } from '../../admin/admin/person/DeleteUserDialog.tsx';
import { PersonOrders, PersonProducts } from '../../admin/admin/person/PersonLists.tsx';
import { RemoveSecondFactorDialog } from '../../admin/admin/person/RemoveSecondFactorDialog.tsx';
import { roleTone } from '../../admin/admin/person/roles.ts';
import { SuspendDialog } from '../../admin/admin/person/SuspendDialog.tsx';
import { SuspensionNotice } from '../../admin/admin/person/SuspensionNotice.tsx';
import { StatusShares } from '../../ordering/orders/figures/StatusShares.tsx';
import { useDeleteUser } from '../../people/users/queries.ts';
import { capitalized } from '../../platform/format/format.ts';
import { useTitle } from '../../platform/format/market.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { BackLink, Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

/** Prefetches the person when a link to them is hovered. */
export function prefetch(client: QueryClient, params: Readonly<Record<string, string>>): void {
  if (params.id) void client.prefetchQuery(personQuery(params.id));
}

/** One person: contact, farm, orders, products, and what admins did that concerns them. */
export default function AdminUserPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { data: person, error, refetch, isFetching } = useQuery(personQuery(id));
  useTitle(person?.user.name);
  return (
    <AdminFrame title={person?.user.name ?? 'User'}>
      <BackLink href="/admin/users" className="mb-2">
        Back to Users
      </BackLink>
      {person ? (
        <Person key={id} person={person} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <Loading className="grid gap-4">
          <Skeleton className="h-40" />
          <Skeleton className="h-64" />
        </Loading>
      )}
    </AdminFrame>
  );
}

function Person({ person }: { person: AdminPerson }) {
  const { user, isDeleted, isFarm } = person;
  return (
    <div className="grid gap-4">
      {isFarm && (
        <Alert kind="info">
          Whoever registered this farm has left it. Its other people run it now.
        </Alert>
      )}
      {isDeleted && (
        <Alert kind="info">This account was deleted. Its orders stay for the other side.</Alert>
      )}
      <SuspensionNotice person={person} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AccountCard person={person} />
        <Card as="section" aria-labelledby="figures">
          <CardHeader id="figures" title="Orders by status" />
          <StatusShares counts={person.ordersByStatus} className="gap-2" />
          <p className="mt-4 text-sm text-ink-soft">
            Completed orders: {formatMoney(person.completedTotal)}
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
  return (
    <Card as="section" aria-labelledby="account">
      <CardHeader id="account" title="Account">
        <Badge tone={roleTone[user.role]}>{capitalized(user.role)}</Badge>
      </CardHeader>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {!isDeleted && (
          <>
            {user.email !== '' && (
              <Fact name="Email">
                <a href={`mailto:${user.email}`} className="link inline-block py-0.5 break-all">
                  {user.email}
                </a>
              </Fact>
            )}
            <Fact name="Phone">{user.phone || 'No phone given'}</Fact>
            <Fact name="Address">{formatAddress(user.address) || 'No address given'}</Fact>
            {!isFarm && <Fact name="Second factor">{hasSecondFactor ? 'On' : 'None'}</Fact>}
          </>
        )}
        <Fact name="Joined">
          <Time value={user.createdAt} as="day" />
        </Fact>
        {user.role === 'farmer' && <Fact name="Products">{formatCount(productCount)}</Fact>}
        {farm && (
          <>
            <Fact name="Farm">{farm.farmName || 'No name given'}</Fact>
            <Fact name="Farming practices">
              {farm.farmingPractices.length > 0 ? farm.farmingPractices.join(', ') : 'None given'}
            </Fact>
            <Fact name="Offers">
              {[farm.acceptsPickup && 'pickup', farm.acceptsDelivery && 'delivery']
                .filter(Boolean)
                .join(' and ') || 'neither pickup nor delivery'}
            </Fact>
          </>
        )}
      </dl>
      {!isDeleted && user.role === 'admin' && hasSecondFactor && user._id !== me?._id && (
        <div className="mt-5">
          <RemoveSecondFactorButton person={user} />
        </div>
      )}
      {!isDeleted && user.role !== 'admin' && (
        <div className="mt-5 flex flex-wrap gap-2">
          <LinkButton
            href={`/admin/messages/${user._id}`}
            variant="secondary"
            icon={<MessageCircle />}
          >
            Message
          </LinkButton>
          {user.role === 'farmer' && (
            <LinkButton href={`/farmers/${user._id}`} variant="quiet">
              View farm page
            </LinkButton>
          )}
          {!suspension && (
            <SuspendButton person={user} kind={isFarm ? 'farm' : farm ? 'founder' : 'person'} />
          )}
          {hasSecondFactor && <RemoveSecondFactorButton person={user} />}
          {!isFarm && <DeleteButton person={user} />}
        </div>
      )}
    </Card>
  );
}

function SuspendButton({
  person,
  kind,
}: {
  person: AdminPerson['user'];
  kind: 'person' | 'founder' | 'farm';
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger-quiet" icon={<Ban />} onClick={() => setAsking(true)}>
        Suspend
      </Button>
      {isAsking && <SuspendDialog user={person} kind={kind} onClose={() => setAsking(false)} />}
    </>
  );
}

function RemoveSecondFactorButton({ person }: { person: AdminPerson['user'] }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger-quiet" icon={<KeyRound />} onClick={() => setAsking(true)}>
        Remove second factor
      </Button>
      {isAsking && <RemoveSecondFactorDialog user={person} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteButton({ person }: { person: AdminPerson['user'] }) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useDeleteUser();
  return (
    <>
      <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <DeleteUserDialog
          user={person}
          pending={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={(choice) =>
            remove.mutate(
              { user: person, ...choice },
              { onSuccess: () => navigate('/admin/users') },
            )
          }
        />
      )}
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
      title={user.role === 'admin' ? 'What they did' : 'What admins did'}
      query={query}
      empty="Nothing yet."
    >
      {(entries) => <AuditTable entries={entries} />}
    </PagedPart>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
