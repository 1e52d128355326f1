import { PageHeader } from '../ui/PageHeader.tsx';

/** One conversation. */
export default function ConversationPage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Messages" />
    </div>
  );
}
