import type { Role } from '#contract/platform/http/http';
import { AppWorker } from '../../platform/offline/AppWorker.tsx';
import { Prefetch } from '../Prefetch.tsx';
import type { AppRoute } from '../routes.tsx';
import { useFocusRecovery } from './use-focus-recovery.ts';

/** What helps whoever uses the page, and is not fetched for tabs that nobody looks at. */
export default function InUse({
  route,
  role,
  path,
}: {
  route: AppRoute | undefined;
  role: Role | null;
  path: string;
}) {
  useFocusRecovery();
  return (
    <>
      <Prefetch route={route} />
      <AppWorker role={role} path={path} />
    </>
  );
}
