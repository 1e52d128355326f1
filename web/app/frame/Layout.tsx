import { type ReactNode, Suspense } from 'react';
import type { Connection } from '../../platform/api/connection.ts';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { useTheme } from '../../platform/hooks/theme.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Announcer } from '../../platform/ui/feedback/Announcer.tsx';
import { ToasterHost } from '../../platform/ui/feedback/ToasterHost.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.ts';
import { Banner } from './Banner.tsx';
import { Footer } from './Footer.tsx';
import { isConnectionLost, NavBar } from './NavBar.tsx';
import { buyerNavigations, type Counts } from './navigation.ts';
import { RoleNav } from './RoleNav.tsx';

const WorkNav = lazyWithRetry(() => import('./WorkNav.tsx'));

/**
 * The frame of every page: the bar at the top, the role's own navigation, the page, and the footer. It
 * has its height before the page is there, so that the footer is never where the page will be.
 * `bell` shows the notifications; `counts` are the badge numbers of navigation items by path.
 */
export function Layout({
  path,
  connection,
  bell,
  counts = {},
  fillsWindow = false,
  hasFooter = true,
  hasBottomBar = true,
  children,
}: {
  path: string;
  connection: Connection;
  bell?: ReactNode;
  counts?: Counts;
  /** The page fills the window below the bar and scrolls inside. */
  fillsWindow?: boolean;
  hasFooter?: boolean;
  /** Shows the role's navigation on phones. */
  hasBottomBar?: boolean;
  children: ReactNode;
}) {
  const { user } = useAuth();
  useTheme();
  const workRole = user && user.role !== 'consumer' ? user.role : null;
  return (
    <>
      {/* Dialogs make this part inert, and leave the toasts alone. */}
      <div
        id="frame"
        data-second-line={isConnectionLost(connection) ? '' : undefined}
        className={cn(
          'flex flex-col',
          fillsWindow ? 'h-dvh min-h-96 overflow-clip' : 'min-h-dvh',
          hasBottomBar && 'max-sm:pb-(--bottom-bar-height)',
        )}
      >
        <a
          href="#main"
          data-print="hide"
          className="fixed left-2 top-2 z-50 -translate-y-20 inline-flex min-h-11 items-center rounded bg-leaf px-4 text-sm font-medium text-on-leaf focus:translate-y-0"
        >
          Skip to content
        </a>
        <NavBar connection={connection} bell={bell} counts={counts} hasRail={workRole !== null} />
        <div className="flex min-h-0 grow">
          <FirstRail />
          {workRole && (
            // The rail and the bar have their place before their file is there.
            <Suspense fallback={<WorkNavPlace hasBottomBar={hasBottomBar} />}>
              <WorkNav role={workRole} path={path} counts={counts} hasBottomBar={hasBottomBar} />
            </Suspense>
          )}
          {!workRole && hasBottomBar && (
            <RoleNav
              navigation={buyerNavigations[user ? 'consumer' : 'visitor']}
              path={path}
              counts={counts}
              hasBottomBar
            />
          )}
          <div className="flex min-w-0 grow flex-col">
            <Banner />
            <main
              id="main"
              tabIndex={-1}
              className={cn(
                'grow',
                fillsWindow
                  ? // It ends above the bar at the bottom, and so does what sticks to its end.
                    'flex min-h-0 flex-col overflow-y-auto [--bottom-bar-height:0px]'
                  : 'min-h-(--page-height) shrink-0',
                // Without a footer, what fits above the bar does not scroll.
                !fillsWindow &&
                  !hasFooter &&
                  hasBottomBar &&
                  'min-h-[calc(var(--page-height)-var(--bottom-bar-height))] max-sm:pb-[calc(var(--toast-room,0px)+var(--pinned-height,0px))]',
              )}
            >
              {children}
            </main>
            {hasFooter && <Footer />}
          </div>
        </div>
      </div>
      <ToasterHost isConversation={fillsWindow && !hasBottomBar} />
      <Announcer />
    </>
  );
}

/** Has the look of a work navigation without its items: a bar on phones, and a rail elsewhere. */
function WorkNavPlace({ hasBottomBar }: { hasBottomBar: boolean }) {
  return (
    <div
      className={cn(
        'shrink-0 border-hairline max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-30 max-sm:h-(--bottom-bar-height) max-sm:border-t max-sm:bg-raised sm:w-(--rail-width) sm:border-r',
        !hasBottomBar && 'max-sm:hidden',
      )}
    />
  );
}

/** Has the place of the rail of whoever turns out to be signed in. */
function FirstRail() {
  return useHydrated() ? null : <div className="first-rail" />;
}
