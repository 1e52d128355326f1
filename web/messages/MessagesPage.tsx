import { PageHeader } from '../ui/PageHeader.tsx';

/** All conversations. */
export default function MessagesPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Messages" />
    </div>
  );
}
