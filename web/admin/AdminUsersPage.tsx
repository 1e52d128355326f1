import { PageHeader } from '../ui/PageHeader.tsx';

/** All users. */
export default function AdminUsersPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Users" />
    </div>
  );
}
