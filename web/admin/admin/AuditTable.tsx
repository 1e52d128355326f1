import { Link } from 'wouter';
import type { AuditRecord } from '#contract/admin/admin/admin';
import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import type { AuditAction } from '#contract/platform/audit/constants';
import { shortId } from '#contract/platform/http/constants';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { statusName } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { adminOrderHref, adminProductHref, adminUserHref } from './AdminFrame.tsx';

/** Entries of the audit: what was done, by whom, to what, and when. */
export const AuditTable = ({ entries }: { entries: readonly AuditRecord[] }) => (
  <Table caption={t('Audit')} columns={columns()} rows={entries} rowKey={(entry) => entry._id} />
);

const columns = (): readonly Column<AuditRecord>[] => [
  {
    key: 'action',
    header: t('Action'),
    primary: true,
    cell: (entry) => actionLabel(entry.action),
  },
  { key: 'target', header: t('What'), cell: (entry) => <Target entry={entry} /> },
  {
    key: 'details',
    header: t('Details'),
    className: 'wrap-anywhere',
    cell: (entry) => detailText(entry) || '–',
  },
  {
    key: 'admin',
    header: t('Admin'),
    cell: ({ admin }) => (
      <Link href={adminUserHref(admin)} className="inline-block py-0.5 hover:underline">
        <bdi>{admin.name}</bdi>
      </Link>
    ),
  },
  {
    key: 'at',
    header: t('When'),
    cell: (entry) => <Time value={entry.at} className="whitespace-nowrap" />,
  },
];

function Target({ entry }: { entry: AuditRecord }) {
  const { text, href } = targetOf(entry);
  return href ? (
    <Link href={href} className="link inline-block py-0.5 tabular wrap-anywhere">
      {text}
    </Link>
  ) : (
    <span className="wrap-anywhere">{text}</span>
  );
}

/** What each action is called, in the order in which they can be chosen. */
export const actionLabels: Record<AuditAction, Message> = {
  'category.created': msg('Category created'),
  'category.updated': msg('Category updated'),
  'category.deleted': msg('Category deleted'),
  'farm.approved': msg('Farm approved'),
  'farm.sentBack': msg('Farm sent back'),
  'held.dropped': msg('Deliveries of before a restore dropped'),
  'held.sent': msg('Deliveries of before a restore sent'),
  'list.exported': msg('List exported'),
  'mail.tested': msg('Test mail sent'),
  'market.announced': msg('Announcement changed'),
  'market.pageRemoved': msg('Page taken away'),
  'market.pageSaved': msg('Page written'),
  'market.updated': msg('Market settings changed'),
  'order.changeWithdrawn': msg('Change taken back'),
  'order.conversationRead': msg('Conversation read'),
  'order.noteAdded': msg('Note added'),
  'order.statusChanged': msg('Order status changed'),
  'product.updated': msg('Product edited'),
  'product.deleted': msg('Product deleted'),
  'product.hidden': msg('Product hidden'),
  'product.unhidden': msg('Product shown again'),
  'queues.opened': msg('Job queues opened'),
  'security.appTurnedOff': msg('Authenticator app turned off'),
  'security.appTurnedOn': msg('Authenticator app turned on'),
  'security.emailChanged': msg('Email changed'),
  'security.emailChangeUndone': msg('Change of email undone'),
  'security.passkeyAdded': msg('Passkey added'),
  'security.passkeyRemoved': msg('Passkey removed'),
  'security.recoveryCodesMade': msg('Recovery codes made'),
  'report.messagesRead': msg('Reported message read'),
  'report.settled': msg('Report settled'),
  'user.deleted': msg('User deleted'),
  'user.mailedAgain': msg('Mailed again'),
  'user.noteAdded': msg('Note about a person added'),
  'user.restored': msg('User let in again'),
  'user.secondFactorRemoved': msg('Second factor removed'),
  'user.suspended': msg('User suspended'),
};

/** Returns what an action is called; one that only a newer server knows keeps its name. */
export const actionLabel = (action: string): string =>
  writeMessage((actionLabels as Record<string, Message>)[action] ?? action);

/** Lists and parts of the market by the names that the audit has of them. */
const TARGETS: Readonly<Record<string, Message>> = {
  users: msg('Users'),
  orders: msg('Orders'),
  market: msg('Market'),
  announcement: msg('Announcement'),
  ...MARKET_PAGE_NAMES,
};

/** Returns what an entry is about, and its page if it has one. */
export function targetOf({ action, targetId, targetName }: AuditRecord): {
  text: string;
  href?: string;
} {
  const target = { _id: targetId };
  switch (action.split('.')[0]) {
    case 'order':
      return { text: `#${shortId(targetId)}`, href: adminOrderHref(target) };
    case 'farm':
    case 'user':
      return { text: targetName || shortId(targetId), href: adminUserHref(target) };
    case 'product':
      return {
        text: targetName || shortId(targetId),
        ...(action === 'product.deleted' ? {} : { href: adminProductHref(target) }),
      };
    case 'report':
      return { text: shortId(targetId), href: `/admin/reports?report=${targetId}` };
    case 'list':
    case 'market':
      return { text: writeMessage(TARGETS[targetId] ?? targetId) };
    case 'mail':
    case 'queues':
    // Of their own account, and who that is stands beside it.
    case 'security':
      return { text: '' };
    default:
      return { text: targetName || shortId(targetId) };
  }
}

/** Returns the details of an entry in words; empty where the action says it all. */
export function detailText({ action, detail }: AuditRecord): string {
  if (action === 'order.statusChanged') {
    const [from, to] = [detail.from as OrderStatus, detail.to as OrderStatus];
    return t('{from} → {to}', { from: statusName(from), to: statusName(to) });
  }
  if (Array.isArray(detail.fields))
    return t('Changed: {fields}', { fields: listOf(detail.fields, 'unit') });
  if (typeof detail.reason === 'string' && detail.reason !== '')
    return t('Reason: {reason}', { reason: detail.reason });
  if (action === 'report.settled') {
    return detail.outcome === 'acted' ? t('Something was done') : t('Left as it is');
  }
  if (action === 'user.deleted' && typeof detail.role === 'string') {
    const { role } = detail;
    return detail.successor
      ? t(
          '{role, select, admin {Was an admin} farmer {Was a farmer} other {Was a customer}}; the farm got another owner',
          { role },
        )
      : t('{role, select, admin {Was an admin} farmer {Was a farmer} other {Was a customer}}', {
          role,
        });
  }
  return '';
}
