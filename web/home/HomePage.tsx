import { PageHeader } from '../ui/PageHeader.tsx';

/** The front of the market. */
export default function HomePage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Farmgate" />
    </div>
  );
}
