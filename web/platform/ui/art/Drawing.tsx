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
      <circle cx="60" cy="62" r="56" fill="var(--scene-haze)" />
      <use href={`${drawings}#${name}`} />
    </svg>
  );
}
