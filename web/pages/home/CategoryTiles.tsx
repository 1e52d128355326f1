import { Link } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { groundClass } from '../../platform/ui/ground.ts';

/** Links to the products of every category. */
export function CategoryTiles({ categories }: { categories: readonly Category[] }) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {categories.map(({ _id, name, icon }) => (
        <li key={_id}>
          <Link
            href={`/products?category=${_id}`}
            className={cn(
              'flex h-full min-h-20 items-center gap-2 rounded px-2.5 py-3 font-display text-base max-sm:tracking-tight font-semibold leading-tight text-ink hover:underline sm:min-h-24 sm:gap-4 sm:px-6 sm:text-lg',
              groundClass(name),
            )}
          >
            {icon && <CategoryIcon icon={icon} className="shrink-0 sm:size-12" />}
            <span className="min-w-0">{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
