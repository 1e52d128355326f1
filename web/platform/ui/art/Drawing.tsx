import { useMarket } from '../../format/market.ts';
import { cn } from '../cn.ts';
import drawings from './drawings.svg';

/** The drawings of empty and error states: the symbols in `drawings.svg`. */
export type DrawingName = 'basket' | 'field' | 'letter' | 'parcel' | 'search' | 'farm' | 'broken';

/**
 * A decorative drawing on a round background. The drawings are a file of their own, because the scripts of the first
 * page would carry all of them and show none; its colours are the page's.
 */
export function Drawing({ name, className }: { name: DrawingName; className?: string }) {
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" className={cn('size-32', className)}>
      <circle cx="60" cy="62" r="56" fill="var(--scene-lawn)" />
      <use href={`${drawings}#${name}`} />
    </svg>
  );
}

/** The logo of the market, without the name. */
export function Logo({ className }: { className?: string }) {
  const { logo } = useMarket();
  if (logo) {
    const small = logo.replace(/\.webp$/, '-small.webp');
    return (
      <img src={small} alt="" className={cn('shrink-0 rounded-sm object-contain', className)} />
    );
  }
  return <Sprout className={className} />;
}

/** The sprout that stands for a market without a logo of its own. */
export function Sprout({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className={cn('shrink-0', className)}>
      <rect width="64" height="64" rx="15" fill="#2c6b39" />
      <path d="M32 55V30" fill="none" stroke="#fffdf7" strokeWidth="5" strokeLinecap="round" />
      <path d="M32 38C18 39 11 30 11 18c13 0 21 7 21 20z" fill="#a9dea9" />
      <path d="M32 31c0-13 8-21 22-21 0 14-8 21-22 21z" fill="#e5b23c" />
    </svg>
  );
}

/** The drawings of the usual category emoji: symbols in `drawings.svg`. */
const drawn: Record<string, string> = {
  '🥕': 'carrot',
  '🍎': 'apple',
  '🥚': 'eggs',
  '🌿': 'herb',
  '🍯': 'honey',
  '🌻': 'sunflower',
};

/**
 * The icon of a category, an emoji. Known emoji are replaced by drawings, which look the same on
 * every device. Decorative: the category's name is shown beside it.
 */
export function CategoryIcon({ icon, className }: { icon: string; className?: string }) {
  const drawing = drawn[icon];
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-grid size-10 shrink-0 place-items-center text-xl leading-none',
        className,
      )}
    >
      {drawing ? (
        <svg viewBox="0 0 48 48" aria-hidden="true" className="size-full">
          <use href={`${drawings}#${drawing}`} />
        </svg>
      ) : (
        icon
      )}
    </span>
  );
}
