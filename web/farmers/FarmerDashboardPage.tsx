import { PageHeader } from '../ui/PageHeader.tsx';

/** A farmer's overview. */
export default function FarmerDashboardPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Farmer Dashboard" />
    </div>
  );
}
