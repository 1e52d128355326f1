import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, MessageCircle, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { USER_SORTS, USER_STATES } from '#contract/people/users/constants';
import type { User } from '#contract/people/users/users';
import { ROLES } from '#contract/platform/http/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { ListTools } from '../../admin/admin/ListTools.tsx';
import { adminUserHref } from '../../admin/admin/links.ts';
import { DeleteUserDialog } from '../../admin/admin/person/DeleteUserDialog.tsx';
import { roleTone } from '../../admin/admin/person/roles.ts';
import { useDayRange } from '../../admin/admin/use-day-range.ts';
import { useDeleteUser, usersQuery } from '../../people/users/queries.ts';
import { capitalized, formatAddress } from '../../platform/format/format.ts';
import { useSearchBox } from '../../platform/hooks/use-search-box.ts';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { PagedList } from '../../platform/ui/lists/PagedList.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Avatar } from '../../platform/ui/primitives/Avatar.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

const roles = ['all', ...ROLES] as const;
const roleOptions = [
  { value: 'all', label: 'All' },
  { value: 'consumer', label: 'Consumers' },
  { value: 'farmer', label: 'Farmers' },
  { value: 'admin', label: 'Admins' },
] as const;

const states = ['everyone', ...USER_STATES] as const;
const stateOptions = [
  { value: 'everyone', label: 'Everyone' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'nothingForSale', label: 'Nothing for sale' },
] as const;

const sorts = { newest: 'Newest', oldest: 'Oldest', name: 'Name' } as const;

/** All accounts, to search, view and delete. */
export default function AdminUsersPage() {
  const { text, setText, search } = useSearchBox();
  const [role, setRole] = useSearchParamChoice('role', roles, 'all');
  const [state, setState] = useSearchParamChoice('state', states, 'everyone');
  const [sort, setSort] = useSearchParamChoice('sort', USER_SORTS, 'newest');
  const days = useDayRange();
  const filters = {
    search: search || undefined,
    role: role === 'all' ? undefined : role,
    state: state === 'everyone' ? undefined : state,
    sort: sort === 'newest' ? undefined : sort,
    ...days.filter,
  };
  const query = useInfiniteQuery({
    ...usersQuery(filters),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<string | null>(null);
  const [toDelete, setToDelete] = useState<User | null>(null);
  const remove = useDeleteUser();

  return (
    <AdminFrame title="Users">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search by name or email"
          placeholder="Name, email or phone"
          value={text}
          onChange={setText}
          className="w-full sm:w-80"
        />
        <FilterBar label="Role" options={roleOptions} value={role} onChange={setRole} />
        <FilterBar
          label="State"
          options={stateOptions}
          value={state}
          onChange={setState}
          className="sm:border-l sm:border-hairline sm:pl-3"
        />
      </div>
      <ListTools
        name="users"
        filters={filters}
        sort={sort}
        sorts={sorts}
        onSort={setSort}
        days={days}
      />
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<SkeletonRows rows={8} />}
        empty={
          <EmptyState
            drawing="search"
            title="No users found"
            text="No one matches. Try other words or another role."
          />
        }
      >
        {(users) => (
          <Table
            key={JSON.stringify(filters)}
            caption="Users"
            columns={columns(open, setOpen, setToDelete)}
            rows={users}
            rowKey={(user) => user._id}
            expanded={(user) => (user._id === open ? <UserDetail user={user} /> : null)}
            className={cn('transition-opacity', query.isPlaceholderData && 'opacity-60')}
          />
        )}
      </PagedList>
      {toDelete && (
        <DeleteUserDialog
          user={toDelete}
          pending={remove.isPending}
          onClose={() => setToDelete(null)}
          onConfirm={(choice) =>
            remove.mutate({ user: toDelete, ...choice }, { onSuccess: () => setToDelete(null) })
          }
        />
      )}
    </AdminFrame>
  );
}

function columns(
  open: string | null,
  setOpen: (id: string | null) => void,
  onDelete: (user: User) => void,
): readonly Column<User>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      primary: true,
      cell: (user) => (
        <span className="flex items-center gap-3">
          <Avatar name={user.name} className="size-9" />
          <Link href={adminUserHref(user)} className="min-w-0 py-1 wrap-anywhere hover:underline">
            {user.name}
          </Link>
          {user.isSuspended && <Badge tone="tomato">Suspended</Badge>}
        </span>
      ),
    },
    {
      key: 'email',
      header: 'Email',
      cell: (user) => <span className="break-all">{user.email}</span>,
    },
    {
      key: 'role',
      header: 'Role',
      cell: (user) => <Badge tone={roleTone[user.role]}>{capitalized(user.role)}</Badge>,
    },
    {
      key: 'joined',
      header: 'Joined',
      cell: (user) => <Time value={user.createdAt} as="day" className="whitespace-nowrap" />,
    },
    {
      key: 'actions',
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      actions: true,
      cell: (user) => (
        <span className="inline-flex items-center gap-1">
          <Button
            variant="quiet"
            size="sm"
            aria-expanded={open === user._id}
            aria-label={`Details of ${user.name}`}
            onClick={() => setOpen(open === user._id ? null : user._id)}
          >
            Details
            <ChevronDown
              aria-hidden="true"
              className={cn('size-4 transition-transform', open === user._id && 'rotate-180')}
            />
          </Button>
          {user.role !== 'admin' && (
            <Button
              variant="danger-quiet"
              size="sm"
              icon={<Trash2 />}
              aria-label={`Delete ${user.name}`}
              onClick={() => onDelete(user)}
            >
              Delete
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function UserDetail({ user }: { user: User }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4 text-left">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-3">
        <div>
          <dt className="text-ink-soft">Phone</dt>
          <dd>{user.phone || 'No phone given'}</dd>
        </div>
        <div>
          <dt className="text-ink-soft">Email</dt>
          <dd>
            <a href={`mailto:${user.email}`} className="link inline-block py-0.5 break-all">
              {user.email}
            </a>
          </dd>
        </div>
        <div>
          <dt className="text-ink-soft">Address</dt>
          <dd>{formatAddress(user.address) || 'No address given'}</dd>
        </div>
      </dl>
      {user.role !== 'admin' && (
        <LinkButton
          href={`/admin/messages/${user._id}`}
          variant="secondary"
          size="sm"
          icon={<MessageCircle />}
        >
          Message
        </LinkButton>
      )}
    </div>
  );
}
