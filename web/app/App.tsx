import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { Suspense, useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation, useRouter, useSearch } from 'wouter';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { SessionGate } from '../people/auth/SessionGate.tsx';
import { wasEndedElsewhere } from '../people/auth/session.ts';
import { toAddress, useAddress } from '../platform/format/address.ts';
import { followLanguage } from '../platform/format/language.ts';
import { marketQuery, useMarket, useTitle } from '../platform/format/market.ts';
import { isHydratedAtom, useHydrated, useIsServerRendered } from '../platform/hooks/hydration.ts';
import { useScrollAndFocus } from '../platform/hooks/scroll-memory.ts';
import { useIsUsed } from '../platform/hooks/when-idle.ts';
import { KeptReads } from '../platform/offline/KeptReads.tsx';
import { whenRestored } from '../platform/offline/kept-reads.ts';
import { RealtimeProvider } from '../platform/realtime/RealtimeProvider.tsx';
import { signInHref, useReturnPath } from '../platform/session/return-path.ts';
import { farmIdOf, readToken, useAuth } from '../platform/session/session.ts';
import { isListAt, LOGOUTS_KEY } from '../platform/session/stored-atom.ts';
import { optional } from '../platform/ui/lazy-with-retry.tsx';
import { releaseRefusals, SETTLED_EVENT } from './dehydrated.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Layout, PageSkeleton } from './frame/Layout.tsx';
import { viewTransitions } from './frame/view-transition.ts';
import {
  guardTarget,
  landingPath,
  pathWithoutFarm,
  pathWithoutForms,
  startPathOf,
} from './guards.ts';
import { type AppRoute, findRoute, isWorkPage, routes, withLowerCaseIds } from './routes.tsx';

const InUse = optional(() => import('./frame/InUse.tsx'));
const PendingSign = optional(() => import('./frame/PendingSign.tsx'));
const SignedIn = optional(() => import('./SignedIn.tsx'));
const OpenQuestions = optional(() => import('./frame/OpenQuestions.tsx'));

const loadLive = () => import('./live/live.ts');
const loadSignedInLive = async () => {
  const live = import('./live/reducers.ts');
  // The connection continues where the last visit ended.
  await whenRestored();
  return live;
};
const loadKeptReads = () => import('./kept-reads/kept-reads.ts');
const loadSignedInKeptReads = () => import('./kept-reads/kept-reads-signed-in.ts');

/** The application. */
export function App() {
  const around = useRouter();
  const { parser } = around;
  const aroundNav = useMemo(() => viewTransitions(parser), [parser]);
  return (
    <Router {...around} aroundNav={aroundNav} hook={useAddress} hrefs={toAddress}>
      <Pages />
    </Router>
  );
}

/** The layout with the page of the current path. */
function Pages() {
  const [path] = useLocation();
  const { user } = useAuth();
  useEffect(watchLogouts, []);
  const { parser } = useRouter();
  // Everything below is rendered again with new settings or in another language, and keeps what is typed into it.
  useMarket();
  useQuery(marketQuery());
  const current = findRoute(parser, path)?.route;
  // After each navigation, too: an address names its language.
  useEffect(() => void followLanguage(current?.isPublic));
  useScrollAndFocus(path);
  const isServerRendered = useIsServerRendered();
  // The page that the server rendered, if it did.
  const [renderedPath] = useState(() => (isServerRendered ? path : null));
  useLayoutEffect(() => {
    if (!isServerRendered) endFirstPaint();
  }, [isServerRendered]);
  const isUsed = useIsUsed();
  useEffect(() => {
    // The page's file is fetched while the session is still being checked. The error boundary shows a failure when the
    // page renders.
    current?.preload().catch(() => undefined);
  }, [current]);
  return (
    <Layout
      fillsWindow={current?.fillsWindow ?? false}
      hasFooter={!current?.fillsWindow && !(current && isWorkPage(current, user?.role ?? null))}
      hasBottomBar={current?.hasBottomBar ?? true}
    >
      <KeptReads load={user ? loadSignedInKeptReads : loadKeptReads} />
      <RealtimeProvider load={user ? loadSignedInLive : loadLive} />
      {user && <SignedIn userId={user._id} />}
      <SessionGate
        fallback={<PageSkeleton shape={current?.shape} hasSpinner />}
        showsPage={path === renderedPath}
      >
        <Switch>
          {routes.map((route) => (
            <Route key={route.path} path={route.path}>
              <Guarded route={route} path={path} />
            </Route>
          ))}
        </Switch>
        {user?.role === 'consumer' && <OpenQuestions path={path} />}
        {user?.role === 'farmer' && <PendingSign />}
      </SessionGate>
      {(isUsed || user) && <InUse route={current} role={user?.role ?? null} path={path} />}
    </Layout>
  );
}

/** Ends on the server what was logged out without a network, if an earlier visit left something. */
function watchLogouts(): void {
  if (isListAt(LOGOUTS_KEY))
    void import('../people/auth/logouts.ts').then((module) => module.watchLogouts());
}

function Guarded({ route, path }: { route: AppRoute; path: string }) {
  const { user } = useAuth();
  const { parser } = useRouter();
  const next = useReturnPath();
  const query = useSearch();
  useImmediateTakeover();
  const market = useMarket();
  // The same for as long as it shows the same, so that nothing around it renders it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: amounts and dates follow the settings of the market
  const page = useMemo(
    () => (
      <>
        <route.Page key={route.keepsState ? route.path : path} />
        <SettleHydration />
      </>
    ),
    [route, path, market],
  );
  const search = query && `?${query}`;
  const hash = typeof window === 'undefined' ? '' : window.location.hash;
  const address = withLowerCaseIds(path);
  if (address !== path) return <Redirect key={address} to={address + search + hash} replace />;
  if (route.guard === 'guest' && user) {
    const guardOf = (target: string) => {
      const found = findRoute(parser, target)?.route;
      return found?.path === '*' ? undefined : found?.guard;
    };
    const landing = landingPath(user.role, next, guardOf, startPathOf(user));
    return <Redirect key="landing" to={landing} replace />;
  }
  const target =
    guardTarget(route.guard, user?.role ?? null) ??
    pathWithoutFarm(route, farmIdOf(user) !== undefined) ??
    pathWithoutForms(route, user);
  if (target !== null) {
    // The sign-in leads back here, but not for anyone who has just signed out.
    const isReturning = target === '/login' && user === null && !wasEndedElsewhere();
    const to = isReturning ? signInHref(target, path + search + hash) : target;
    return <Redirect key={target} to={to} replace />;
  }
  const skeleton = <PageSkeleton shape={route.shape} />;
  return (
    <>
      {/* Before the page, so that the page's own title is set later and wins. */}
      <Title key={path} title={route.title} />
      <ErrorBoundary key={`${path} boundary`} fallback={skeleton} whenFailed={<SettleHydration />}>
        <Suspense fallback={skeleton}>{page}</Suspense>
      </ErrorBoundary>
    </>
  );
}

/**
 * Makes React take over the page that the server rendered together with its frame. It would leave what is within a
 * `Suspense` for later and do it in small pieces; an update of the `Suspense` needs it now.
 */
function useImmediateTakeover(): void {
  const isServerRendered = useIsServerRendered();
  const [, update] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    if (isServerRendered) update();
  }, [isServerRendered]);
}

function Title({ title }: Pick<AppRoute, 'title'>) {
  useTitle(title && writeMessage({ text: title }));
  return null;
}

/**
 * Stands behind the page: once React has taken over what the server rendered, the page may show what only this
 * browser knows. What `first-paint.js` has hidden meanwhile is shown with it.
 */
function SettleHydration() {
  const store = useStore();
  const client = useQueryClient();
  const isHydrated = useHydrated();

  useLayoutEffect(() => {
    if (isHydrated) {
      endFirstPaint();
      return;
    }
    releaseRefusals(client, readToken() !== null);
    store.set(isHydratedAtom, true);
  }, [isHydrated, store, client]);

  // After the effects of the page, which then knows who is signed in.
  useEffect(() => {
    if (isHydrated) document.dispatchEvent(new Event(SETTLED_EVENT));
  }, [isHydrated]);

  return null;
}

/**
 * Removes what `first-paint.js` noted on the document, with which the style sheet hides what is not for anyone who is
 * signed in. Call it when React shows what is theirs.
 */
function endFirstPaint(): void {
  const { dataset } = document.documentElement;
  delete dataset.firstRole;
  delete dataset.firstRail;
  delete dataset.announcementRead;
}
