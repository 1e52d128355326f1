import { PageHeader } from '../ui/PageHeader.tsx';

/** Changes a product. */
export default function EditProductPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Edit Product" />
    </div>
  );
}
