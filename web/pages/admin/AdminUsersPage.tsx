import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, MessageCircle, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/people/users/users';
import { readableEmail } from '#contract/platform/http/email';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { msg, t } from '#contract/platform/text/constants/texts';
import { AdminFrame, adminUserHref, roleTone } from '../../admin/admin/AdminFrame.tsx';
import { AdminList, ListTools, useFilter, useListTools } from '../../admin/admin/ListTools.tsx';
import { ACTIONS, Fact } from '../../admin/model/cells.tsx';
import { usersQuery } from '../../people/users/queries.ts';
import { roleName } from '../../platform/format/format.ts';
import { useSearchBox } from '../../platform/hooks/use-debounced.ts';
import { cn } from '../../platform/ui/cn.ts';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Badge, Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Avatar } from '../../platform/ui/primitives/Picture.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';

const roles = {
  all: msg('All'),
  consumer: msg('Consumers'),
  farmer: msg('Farmers'),
  admin: msg('Admins'),
};
const states = {
  everyone: msg('Everyone'),
  suspended: msg('Suspended'),
  unreachable: msg("Can't be reached"),
  nothingForSale: msg('Nothing for sale'),
};

/** All accounts, to search, view and delete. */
export default function AdminUsersPage() {
  const { text, setText, search } = useSearchBox();
  const role = useFilter('role', 'all', roles);
  const state = useFilter('state', 'everyone', states);
  const tools = useListTools({ newest: t('Newest'), oldest: t('Oldest'), name: t('Name') });
  const filters = {
    search: search || undefined,
    role: role.filter,
    state: state.filter,
    ...tools.filter,
  };
  const query = useInfiniteQuery({ ...usersQuery(filters), placeholderData: keepPreviousData });
  const [open, setOpen] = useState<string | null>(null);
  const [toDelete, setToDelete] = useState<User | null>(null);

  return (
    <AdminFrame title={t('Users')}>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchInput
          label={t('Search by name or email')}
          placeholder={t('Name, email or phone')}
          value={text}
          onChange={setText}
          className="w-full sm:w-80"
        />
        <FilterBar label={t('Role')} {...role.bar} />
        <FilterBar
          label={t('condition|State')}
          {...state.bar}
          className="sm:border-s sm:border-hairline sm:ps-3"
        />
      </div>
      <ListTools name="users" filters={filters} tools={tools} />
      <AdminList
        query={query}
        rows={8}
        drawing="search"
        title={t('No users found')}
        text={t('No one matches. Try other words or another role.')}
      >
        {(users) => (
          <Table
            key={JSON.stringify(filters)}
            caption={t('Users')}
            columns={columns(open, setOpen, setToDelete)}
            rows={users}
            rowKey={(user) => user._id}
            expanded={(user) => (user._id === open ? <UserDetail user={user} /> : null)}
            className={cn('transition-opacity', query.isPlaceholderData && 'opacity-60')}
          />
        )}
      </AdminList>
      {toDelete && <DeleteUserDialog user={toDelete} onClose={() => setToDelete(null)} />}
    </AdminFrame>
  );
}

const columns = (
  open: string | null,
  setOpen: (id: string | null) => void,
  onDelete: (user: User) => void,
): readonly Column<User>[] => [
  {
    key: 'name',
    header: t('Name'),
    primary: true,
    cell: (user) => (
      <span className="flex items-center gap-3">
        <Avatar name={user.name} className="size-9" />
        <Link href={adminUserHref(user)} className="min-w-0 py-1 wrap-anywhere hover:underline">
          {user.name}
        </Link>
        {user.isSuspended && <Badge tone="tomato">{t('Suspended')}</Badge>}
        {user.isEmailUnreachable && <Badge tone="straw">{t("Can't be reached")}</Badge>}
      </span>
    ),
  },
  {
    key: 'email',
    header: t('Email'),
    cell: (user) => <span className="break-all">{readableEmail(user.email)}</span>,
  },
  {
    key: 'role',
    header: t('Role'),
    cell: (user) => <Badge tone={roleTone[user.role]}>{roleName(user.role)}</Badge>,
  },
  {
    key: 'joined',
    header: t('Joined'),
    cell: (user) => <Time value={user.createdAt} as="day" className="whitespace-nowrap" />,
  },
  {
    ...ACTIONS,
    cell: (user) => (
      <span className="inline-flex items-center gap-1">
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={open === user._id}
          aria-label={t('Details of {name}', { name: user.name })}
          onClick={() => setOpen(open === user._id ? null : user._id)}
        >
          {t('Details')}
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
            aria-label={t('Delete {name}', { name: user.name })}
            onClick={() => onDelete(user)}
          >
            {t('Delete')}
          </Button>
        )}
      </span>
    ),
  },
];

const UserDetail = ({ user }: { user: User }) => (
  <div className="flex flex-wrap items-start justify-between gap-4 text-start">
    <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-3">
      <Fact name={t('Phone')}>{user.phone || t('No phone given')}</Fact>
      <Fact name={t('Email')}>
        <a href={`mailto:${user.email}`} className="link inline-block py-0.5 break-all">
          {readableEmail(user.email)}
        </a>
      </Fact>
      <Fact name={t('Address')}>{formatAddress(user.address) || t('No address given')}</Fact>
    </dl>
    {user.role !== 'admin' && (
      <LinkButton
        href={`/admin/messages/${user._id}`}
        variant="secondary"
        size="sm"
        icon={<MessageCircle />}
      >
        {t('verb|Message')}
      </LinkButton>
    )}
  </div>
);
