import { PageHeader } from '../ui/PageHeader.tsx';

/** All farmers. */
export default function FarmersPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Farmers" />
    </div>
  );
}
