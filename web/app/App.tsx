import { useAtomValue } from 'jotai';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation, useRouter } from 'wouter';
import { SessionGate } from '../auth/SessionGate.tsx';
import { useAuth } from '../auth/use-auth.ts';
import { connectionAtom } from '../lib/connection.ts';
import { useTitle } from '../lib/use-title.ts';
import { RealtimeProvider } from '../realtime/RealtimeProvider.tsx';
import { FullPageSpinner } from '../ui/Spinner.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { guardTarget } from './guards.ts';
import { Layout } from './Layout.tsx';
import { Prefetch } from './Prefetch.tsx';
import { type AppRoute, findRoute, routes } from './routes.tsx';
import { useCounts } from './use-counts.ts';

const Bell = optional(() => import('../notifications/Bell.tsx'));
const PendingSign = optional(() => import('../notifications/PendingSign.tsx'));

/** The whole market: its frame, and in it the page of the address. */
export function App() {
  const [path] = useLocation();
  const { user } = useAuth();
  const connection = useAtomValue(connectionAtom);
  const counts = useCounts();
  usePageStart(path);
  usePreload(path);
  return (
    <Layout
      connection={connection}
      bell={
        <Suspense fallback={<span className="size-11" />}>
          <Bell />
        </Suspense>
      }
      counts={counts.places}
    >
      <RealtimeProvider />
      {user?.role === 'farmer' && (
        <Suspense fallback={null}>
          <PendingSign count={counts.pendingOrders} />
        </Suspense>
      )}
      <SessionGate fallback={<FullPageSpinner />}>
        <Switch>
          {routes.map((route) => (
            <Route key={route.path} path={route.path}>
              <Guarded route={route} path={path} />
            </Route>
          ))}
        </Switch>
      </SessionGate>
      <Prefetch />
    </Layout>
  );
}

/** Loaded later, and left out when it cannot be: the market must not break for want of it. */
function optional<Props>(load: () => Promise<{ default: (props: Props) => ReactNode }>) {
  return lazy(() => load().catch(() => ({ default: (_: Props): ReactNode => null })));
}

function Guarded({ route, path }: { route: AppRoute; path: string }) {
  const { user } = useAuth();
  const target = guardTarget(route.guard, user?.role ?? null);
  if (target !== null) return <Redirect to={target} replace />;
  return (
    <>
      {/* Before the page, so that a title of the page's own comes later and stands. */}
      <Title key={path} title={route.title} />
      <ErrorBoundary key={`${path} boundary`}>
        <Suspense fallback={<FullPageSpinner />}>
          <route.Page key={route.keepsState ? route.path : path} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function Title({ title }: { title: string }) {
  useTitle(title);
  return null;
}

/** Each page begins at its top, with the keyboard at its start. */
function usePageStart(path: string) {
  const last = useRef(path);
  useLayoutEffect(() => {
    if (last.current === path) return;
    last.current = path;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}

/** Fetches the page's file while the session is still being checked. */
function usePreload(path: string) {
  const { parser } = useRouter();
  useEffect(() => {
    // A failure shows where the page would be.
    findRoute(parser, path)
      ?.route.preload()
      .catch(() => undefined);
  }, [parser, path]);
}
