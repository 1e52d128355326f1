import { PageHeader } from '../ui/PageHeader.tsx';

/** All orders. */
export default function AdminOrdersPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Orders" />
    </div>
  );
}
