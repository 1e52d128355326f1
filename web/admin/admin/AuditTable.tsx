import { Link } from 'wouter';
import type { AuditRecord } from '#contract/admin/admin/admin';
import type { AuditAction } from '#contract/platform/audit/constants';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
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
export const actionLabels: Record<AuditAction, string> = {
  'category.created': 'Category created',
  'category.updated': 'Category updated',
  'category.deleted': 'Category deleted',
  'farm.approved': 'Farm approved',
  'farm.sentBack': 'Farm sent back',
  'held.dropped': 'Deliveries of before a restore dropped',
  'held.sent': 'Deliveries of before a restore sent',
  'list.exported': 'List exported',
  'mail.tested': 'Test mail sent',
  'market.announced': 'Announcement changed',
  'market.pageRemoved': 'Page taken away',
  'market.pageSaved': 'Page written',
  'market.updated': 'Market settings changed',
  'order.changeWithdrawn': 'Change taken back',
  'order.conversationRead': 'Conversation read',
  'order.noteAdded': 'Note added',
  'order.statusChanged': 'Order status changed',
  'product.updated': 'Product edited',
  'product.deleted': 'Product deleted',
  'product.hidden': 'Product hidden',
  'product.unhidden': 'Product shown again',
  'queues.opened': 'Job queues opened',
  'security.appTurnedOff': 'Authenticator app turned off',
  'security.appTurnedOn': 'Authenticator app turned on',
  'security.emailChanged': 'Email changed',
  'security.emailChangeUndone': 'Change of email undone',
  'security.passkeyAdded': 'Passkey added',
  'security.passkeyRemoved': 'Passkey removed',
  'security.recoveryCodesMade': 'Recovery codes made',
  'report.messagesRead': 'Reported message read',
  'report.settled': 'Report settled',
  'user.deleted': 'User deleted',
  'user.mailedAgain': 'Mailed again',
  'user.noteAdded': 'Note about a person added',
  'user.restored': 'User let in again',
  'user.secondFactorRemoved': 'Second factor removed',
  'user.suspended': 'User suspended',
};

/** Returns what an action is called; one that only a newer server knows keeps its name. */
export const actionLabel = (action: string): string =>
  (actionLabels as Record<string, string>)[action] ?? action;

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
      return { text: targetId };
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
  if (action === 'order.statusChanged') return `${detail.from} → ${detail.to}`;
  if (Array.isArray(detail.fields)) {
    return `Changed: ${detail.fields.join(', ')}`;
  }
  if (typeof detail.reason === 'string' && detail.reason !== '') return `Reason: ${detail.reason}`;
  if (action === 'report.settled') {
    return detail.outcome === 'acted' ? t('Something was done') : t('Left as it is');
  }
  if (action === 'user.deleted' && typeof detail.role === 'string') {
    const farm = detail.successor ? t('; the farm got another owner') : '';
    return t('Was a {role}{farm}', { role: detail.role, farm });
  }
  return '';
}
