import { Link } from 'wouter';
import type { AuditRecord } from '#contract/admin/admin/admin';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { actionLabel, detailText, targetOf } from './audit-texts.ts';
import { adminUserHref } from './links.ts';

/** Entries of the audit: what was done, by whom, to what, and when. */
export function AuditTable({ entries }: { entries: readonly AuditRecord[] }) {
  return <Table caption="Audit" columns={columns} rows={entries} rowKey={(entry) => entry._id} />;
}

const columns: readonly Column<AuditRecord>[] = [
  {
    key: 'action',
    header: 'Action',
    primary: true,
    cell: (entry) => actionLabel(entry.action),
  },
  { key: 'target', header: 'What', cell: (entry) => <Target entry={entry} /> },
  {
    key: 'details',
    header: 'Details',
    className: 'wrap-anywhere',
    cell: (entry) => detailText(entry) || '–',
  },
  {
    key: 'admin',
    header: 'Admin',
    cell: ({ admin }) => (
      <Link href={adminUserHref(admin)} className="inline-block py-0.5 hover:underline">
        {admin.name}
      </Link>
    ),
  },
  {
    key: 'at',
    header: 'When',
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
