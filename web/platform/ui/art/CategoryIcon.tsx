import { cn } from '../cn.ts';
import drawings from './drawings.svg';

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
