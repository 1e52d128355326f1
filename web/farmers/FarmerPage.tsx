import { PageHeader } from '../ui/PageHeader.tsx';

/** One farmer. */
export default function FarmerPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Farmer" />
    </div>
  );
}
