import type { ReactNode } from 'react';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { AuthFrame } from './AuthFrame.tsx';

/** Stands in for a page that a mailed link opens, where the link's token is missing. `another` leads to a new link. */
export function IncompleteLink({ another }: { another: ReactNode }) {
  return (
    <AuthFrame title="This link is incomplete" foot={another}>
      <Alert kind="error">Open the whole link in the email again.</Alert>
    </AuthFrame>
  );
}
