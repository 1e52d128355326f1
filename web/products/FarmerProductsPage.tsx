import { PageHeader } from '../ui/PageHeader.tsx';

/** A farmer's own products. */
export default function FarmerProductsPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="My Products" />
    </div>
  );
}
