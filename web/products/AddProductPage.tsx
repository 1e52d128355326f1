import { PageHeader } from '../ui/PageHeader.tsx';

/** A new product. */
export default function AddProductPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Add Product" />
    </div>
  );
}
