import { PageHeader } from '../ui/PageHeader.tsx';

/** The market in one glance. */
export default function AdminDashboardPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Admin Dashboard" />
    </div>
  );
}
