import { PageHeader } from '../ui/PageHeader.tsx';

/** All categories. */
export default function AdminCategoriesPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Categories" />
    </div>
  );
}
