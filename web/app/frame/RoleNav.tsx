import { useAtomValue } from 'jotai';
import { Link, useLocation } from 'wouter';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { cartCountAtom } from '../../ordering/cart/rules.ts';
import { cn } from '../../platform/ui/cn.ts';
import { CountBadge } from '../../platform/ui/primitives/Button.tsx';
import { countsAtom, isCurrentItem, type RoleItem, type RoleNavigation } from './navigation.ts';

/**
 * The navigation of a role, one element at every width so that each link exists once: a bar at the
 * bottom on phones; from 640 px a rail at the left, or nothing for roles without one.
 */
export function RoleNav({
  navigation: { label, items, hasRail },
  hasBottomBar,
}: {
  navigation: RoleNavigation;
  /** Without it phones show nothing. */
  hasBottomBar: boolean;
}) {
  const [path] = useLocation();
  const counts = useAtomValue(countsAtom).places;
  const cartCount = useAtomValue(cartCountAtom);
  return (
    <nav
      aria-label={writeMessage(label)}
      data-print="hide"
      data-bottom-bar=""
      className={cn(
        'fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-raised pb-[env(safe-area-inset-bottom)]',
        hasRail
          ? 'sm:sticky sm:top-(--top-bar-height) sm:z-20 sm:h-(--page-height) sm:w-(--rail-width) sm:shrink-0 sm:overflow-y-auto sm:border-e sm:border-t-0 sm:scroll-cue sm:pb-0'
          : 'sm:hidden',
        !hasBottomBar && 'max-sm:hidden',
      )}
    >
      <ul
        className={cn(
          // Six fit a phone of 360 px; more than fit scroll sideways.
          'first-for-visitors grid auto-cols-[minmax(3.5rem,1fr)] grid-flow-col overflow-x-auto [scrollbar-width:none]',
          hasRail && 'sm:auto-cols-auto sm:grid-flow-row sm:gap-1 sm:overflow-visible sm:p-2',
        )}
      >
        {items.map((item) => (
          <li key={item.href}>
            <RoleLink
              item={item}
              isCurrent={isCurrentItem(item, path)}
              count={item.countsInName ? cartCount : (counts[item.href] ?? 0)}
              isRailItem={hasRail}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function RoleLink({
  item: { href, label, icon: Icon, countsInName },
  isCurrent,
  count,
  isRailItem,
}: {
  item: RoleItem;
  isCurrent: boolean;
  count: number;
  isRailItem: boolean;
}) {
  const badge = <CountBadge value={count} className="absolute -inset-e-3 -top-2" />;
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={cn(
        'grid min-h-16 place-content-center justify-items-center gap-1 text-xs font-medium text-ink-soft max-sm:tracking-tight',
        'hover:text-ink focus-visible:outline-offset-[-3px] aria-[current=page]:text-leaf',
        isRailItem &&
          'max-sm:text-[0.6875rem] sm:rounded sm:hover:bg-sunken sm:aria-[current=page]:bg-leaf-soft sm:aria-[current=page]:text-leaf-ink 2xl:min-h-12 2xl:grid-flow-col 2xl:items-center 2xl:justify-start 2xl:gap-4 2xl:px-4 2xl:text-sm',
      )}
    >
      <span className="relative" aria-hidden={countsInName}>
        <Icon className="size-6" />
        {badge}
      </span>
      <span aria-hidden={countsInName}>{writeMessage(label)}</span>
      {countsInName && (
        <span className="sr-only">
          {t('{label} ({count})', { label, count: formatCount(count) })}
        </span>
      )}
    </Link>
  );
}
