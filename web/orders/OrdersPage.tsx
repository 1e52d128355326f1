import { PageHeader } from '../ui/PageHeader.tsx';

/** One's orders. */
export default function OrdersPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="My Orders" />
    </div>
  );
}
