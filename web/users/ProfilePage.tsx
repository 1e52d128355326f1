import { PageHeader } from '../ui/PageHeader.tsx';

/** One's own profile. */
export default function ProfilePage() {
  return (
    <div className="wrap py-8">
      <PageHeader title="Profile" />
    </div>
  );
}
