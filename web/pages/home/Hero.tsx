import { useEffect, useId, useRef } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import sceneFile from './hero.svg?no-inline';
import scene from './hero.svg?raw';

/**
 * The hero section of the home page. For people who know the market it is `compact`: a line of text and
 * the links, without the scene.
 */
export function Hero({ compact = false }: { compact?: boolean }) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className={cn('relative isolate overflow-hidden', !compact && 'bg-(--scene-sky)')}
    >
      <div
        className={cn(
          'wrap relative z-10',
          compact ? 'pt-6 sm:pt-10' : 'pt-6 sm:pt-16 lg:min-h-[max(36rem,22vw)] lg:pt-20',
        )}
      >
        <div
          className={cn(
            'grid',
            compact
              ? 'gap-3 md:flex md:items-center md:justify-between md:gap-6'
              : 'max-w-xl gap-3 sm:gap-5',
          )}
        >
          <h1 id={titleId} className={compact ? 'text-2xl sm:text-3xl' : 'text-3xl sm:text-4xl'}>
            {t('Good food grows near you.')}
          </h1>
          {!compact && (
            <p className="max-w-md text-base sm:text-lg">
              {t(
                'Order straight from the farm that grew it, and follow it from the field to your hands.',
              )}
            </p>
          )}
          <div className="flex flex-wrap gap-2 sm:gap-3 sm:pt-1">
            <LinkButton href="/products" size={compact ? 'md' : 'lg'} className="max-sm:px-4">
              {t('Shop Now')}
            </LinkButton>
            <LinkButton
              href="/farmers"
              variant="secondary"
              size={compact ? 'md' : 'lg'}
              className="max-sm:px-4"
            >
              {t('Meet Our Farmers')}
            </LinkButton>
          </div>
        </div>
      </div>
      {!compact && (
        // Below the text the scene is as wide as its right part; behind it, on small desktops, it is moved
        // to the right, so that the text stands on nothing but sky and hills.
        <HeroScene className="rtl:-scale-x-100 ms-[-77.78%] h-33 w-[177.78%] max-w-none sm:h-80 lg:absolute lg:inset-0 lg:ms-0 lg:size-full lg:max-xl:w-[calc(100%+8.125rem)]" />
      )}
    </section>
  );
}

const MILL =
  '[&_.hero-mill]:origin-[0_-50px] [&_.hero-mill]:animate-[spin_24s_linear_infinite] motion-reduce:[&_.hero-mill]:animate-none';

/** Only the server carries it: a page that it did not render fetches the scene by itself. */
const SCENE = import.meta.env.SSR ? scene : '';

/**
 * The decorative picture of the hero section. Its upper left part is empty sky, for the text. Its right
 * part of 1440 units is what most screens show; without the country on the left, wider ones would show its
 * lower half alone. It stands in the page, not in a file of its own, so that its colours are the page's.
 */
function HeroScene({ className }: { className: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!current || current.firstChild) return;
    const show = async () => {
      const answer = await fetch(sceneFile);
      if (answer.ok) current.innerHTML = await answer.text();
    };
    // Decoration: the page is complete without it.
    show().catch(() => undefined);
  }, []);
  return (
    <div
      ref={place}
      className={cn(MILL, className)}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it is a file of ours.
      dangerouslySetInnerHTML={{ __html: SCENE }}
    />
  );
}
