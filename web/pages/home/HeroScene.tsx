import { cn } from '../../platform/ui/cn.ts';
import scene from './hero.svg?raw';

const MILL =
  '[&_.hero-mill]:origin-[0_-50px] [&_.hero-mill]:animate-[spin_24s_linear_infinite] motion-reduce:[&_.hero-mill]:animate-none';

/**
 * The decorative picture of the hero section. Its upper left part is empty sky, for the text. Its right
 * part of 1440 units is what most screens show; without the country on the left, wider ones would show its
 * lower half alone. It stands in the page, not in a file of its own, so that its colours are the page's.
 */
export const HeroScene = ({ className }: { className: string }) => (
  <div
    className={cn(MILL, className)}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it is a file of ours.
    dangerouslySetInnerHTML={{ __html: scene }}
  />
);
