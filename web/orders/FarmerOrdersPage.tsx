import { PageHeader } from '../ui/PageHeader.tsx';

/** The orders placed with a farm. */
export default function FarmerOrdersPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Orders" />
    </div>
  );
}
