import { PageHeader } from '../ui/PageHeader.tsx';

/** One product. */
export default function ProductPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Product" />
    </div>
  );
}
