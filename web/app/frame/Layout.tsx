import { useAtom, useAtomValue } from 'jotai';
import { X } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import type { PageShape } from '#contract/edge/constants';
import { t } from '#contract/platform/text/constants/texts';
import { connectionAtom, hasConnectionLine } from '../../platform/api/connection.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { useTheme } from '../../platform/hooks/use-media.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useAuth } from '../../platform/session/session.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';
import { cn } from '../../platform/ui/cn.ts';
import { announcementAtom } from '../../platform/ui/feedback/announce.ts';
import { ToasterHost } from '../../platform/ui/feedback/ToasterHost.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Spinner } from '../../platform/ui/primitives/Button.tsx';
import { Footer } from './Footer.tsx';
import { NavBar } from './NavBar.tsx';
import { consumerNavigations } from './navigation.ts';
import { RoleNav } from './RoleNav.tsx';

const WorkNav = lazyWithRetry(() => import('./WorkNav.tsx'));
const OwnBanners = lazyWithRetry(() => import('./OwnBanners.tsx'));

/**
 * The frame of every page: the bar at the top, the role's own navigation, the page, and the footer. It
 * has its height before the page is there, so that the footer is never where the page will be.
 */
export function Layout({
  fillsWindow,
  hasFooter,
  hasBottomBar,
  children,
}: {
  /** The page fills the window below the bar and scrolls inside. */
  fillsWindow: boolean;
  hasFooter: boolean;
  /** Shows the role's navigation on phones. */
  hasBottomBar: boolean;
  children: ReactNode;
}) {
  const { user } = useAuth();
  const connection = useAtomValue(connectionAtom);
  useTheme();
  const workRole = user && user.role !== 'consumer' ? user.role : null;
  return (
    <>
      {/* Dialogs make this part inert, and leave the toasts alone. */}
      <div
        id="frame"
        data-second-line={hasConnectionLine(connection, user !== null) ? '' : undefined}
        className={cn(
          'flex flex-col',
          fillsWindow ? 'h-dvh min-h-96 overflow-clip' : 'min-h-dvh',
          hasBottomBar && 'max-sm:pb-(--bottom-bar-height)',
        )}
      >
        <a
          href="#main"
          data-print="hide"
          className="fixed inset-s-2 top-2 z-50 -translate-y-20 inline-flex min-h-11 items-center rounded bg-leaf px-4 text-sm font-medium text-on-leaf focus:translate-y-0"
        >
          {t('Skip to content')}
        </a>
        <NavBar hasRail={workRole !== null} />
        <div className="flex min-h-0 grow">
          <FirstRail />
          {workRole && (
            // The rail and the bar have their place before their file is there.
            <Suspense fallback={<WorkNavPlace hasBottomBar={hasBottomBar} />}>
              <WorkNav role={workRole} hasBottomBar={hasBottomBar} />
            </Suspense>
          )}
          {!workRole && hasBottomBar && (
            <RoleNav navigation={consumerNavigations[user ? 'consumer' : 'visitor']} hasBottomBar />
          )}
          <div className="flex min-w-0 grow flex-col">
            <Banner />
            {user && (
              <Suspense fallback={null}>
                <OwnBanners user={user} />
              </Suspense>
            )}
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
        'shrink-0 border-hairline max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-30 max-sm:h-(--bottom-bar-height) max-sm:border-t max-sm:bg-raised sm:w-(--rail-width) sm:border-e',
        !hasBottomBar && 'max-sm:hidden',
      )}
    />
  );
}

/** Has the place of the rail of the person who turns out to be signed in. */
function FirstRail() {
  return useHydrated() ? null : <div className="first-rail" />;
}

/** When the announcement was made that was put away on this device. `first-paint.js` reads it too. */
const readAnnouncementAtom = storedAtom<string | null>(
  'announcement-read',
  (value) => typeof value === 'string',
  null,
);

/**
 * The announcement of the market, until it ends or the reader has put it away on this device. The server, which
 * cannot know that, sends it to everybody; `first-paint.js` hides it meanwhile.
 */
function Banner() {
  const { announcement } = useMarket();
  const now = useNow();
  const [read, setRead] = useAtom(readAnnouncementAtom);
  if (!announcement || announcement.announcedAt === read) return null;
  if (announcement.endsAt !== null && Date.parse(announcement.endsAt) <= now) return null;
  return (
    <section
      aria-label={t('Announcement')}
      data-print="hide"
      className="first-unless-read border-b border-hairline bg-straw-soft text-ink"
    >
      <div className="wrap flex items-start gap-3 py-2 text-sm">
        <p dir="auto" className="min-w-0 grow whitespace-pre-line wrap-anywhere">
          {announcement.text}
        </p>
        <button
          type="button"
          aria-label={t('Put the announcement away')}
          onClick={() => setRead(announcement.announcedAt)}
          className="-my-1 -me-2 grid size-8 shrink-0 place-items-center rounded hover:bg-sunken pointer-coarse:size-11"
        >
          <X className="size-4" />
        </button>
      </div>
    </section>
  );
}

const BLOCKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/**
 * Stands in for a page while its file is fetched, in the page's rough shape, which `frame.css` lays
 * out. `hasSpinner` shows a spinner over it, while the session is being checked.
 */
export function PageSkeleton({
  shape = 'rows',
  hasSpinner = false,
}: {
  shape?: PageShape | undefined;
  hasSpinner?: boolean;
}) {
  return (
    <div role="status" className="relative animate-late">
      <span className="sr-only">{t('Loading')}</span>
      <div aria-hidden="true" className="page-skeleton" data-shape={shape}>
        {BLOCKS.map((block) => (
          <span key={block} className="skeleton" />
        ))}
      </div>
      {hasSpinner && (
        <div className="absolute inset-x-0 top-0 grid h-[60dvh] place-items-center text-leaf">
          <Spinner className="size-9" />
        </div>
      )}
    </div>
  );
}

/** The one polite live region of the app, filled by `announce`. It is in the page before its first message. */
function Announcer() {
  const text = useAtomValue(announcementAtom);
  return (
    <div aria-live="polite" aria-atomic="true" data-announcer="" className="sr-only">
      {text}
    </div>
  );
}
