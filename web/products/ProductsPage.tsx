import { PageHeader } from '../ui/PageHeader.tsx';

/** All products. */
export default function ProductsPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Products" />
    </div>
  );
}
