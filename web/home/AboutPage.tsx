import { PageHeader } from '../ui/PageHeader.tsx';

/** What the market is, how it works and who makes it. */
export default function AboutPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="About Farmgate" />
    </div>
  );
}
