import { Link, useLocation } from 'wouter';
import { useShownChoice } from '../../platform/ui/lists/FilterBar.tsx';
import { marketTabs } from './market-tabs.ts';

/** The links between the pages about the market as a whole. Where they do not fit the row scrolls to the current one. */
export function MarketTabs() {
  const [path] = useLocation();
  const row = useShownChoice('[aria-current="page"]', path);
  return (
    <nav aria-label="Market pages" className="mb-5">
      <div ref={row} className="overflow-x-auto border-b border-hairline [scrollbar-width:none]">
        <ul className="flex gap-1">
          {marketTabs.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
                className="-mb-px inline-flex min-h-11 items-center whitespace-nowrap rounded-t border-b-2 border-transparent px-4 py-2 text-sm font-medium text-ink-soft hover:text-ink focus-visible:outline-offset-[-2px] aria-[current=page]:border-leaf aria-[current=page]:text-leaf"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
