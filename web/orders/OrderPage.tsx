import { PageHeader } from '../ui/PageHeader.tsx';

/** One order. */
export default function OrderPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Order" />
    </div>
  );
}
