import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { inReadingOrder } from '../../platform/ui/direction.ts';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/** The index of the picture that each key selects. */
const steps: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * The pictures of a product: a large one and thumbnails with arrow key navigation, or a placeholder
 * if there is none.
 */
export function Gallery({
  images,
  name,
  ground,
}: {
  images: readonly string[];
  /** The product's name. */
  name: string;
  /** The name that determines the background: the category's. */
  ground: string;
}) {
  const [chosen, setChosen] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const last = Math.max(0, images.length - 1);
  // A live update may have removed pictures.
  const at = Math.min(chosen, last);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = steps[inReadingOrder(event.key)]?.(at, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div className="grid content-start gap-3">
      <Picture
        src={images[at]}
        alt={
          images.length > 1
            ? t('{name}, picture {number} of {count}', {
                name,
                number: at + 1,
                count: images.length,
              })
            : name
        }
        ground={ground}
        eager
        sizes="(min-width: 76rem) 36rem, (min-width: 56rem) 50vw, 100vw"
        // Lower on a phone, where the name is to be in view below it.
        className="rounded border border-hairline max-sm:aspect-4/3"
      />
      {images.length > 1 && (
        <div
          ref={row}
          role="toolbar"
          aria-label={t('Pictures of {name}', { name })}
          onKeyDown={onKeyDown}
          className="grid grid-cols-5 gap-2 sm:gap-3"
        >
          {images.map((image, index) => (
            <button
              key={image}
              type="button"
              aria-label={t('Picture {number}', { number: index + 1 })}
              aria-pressed={index === at}
              tabIndex={index === at ? 0 : -1}
              onClick={() => setChosen(index)}
              className={cn(
                'overflow-hidden rounded border-2',
                index === at ? 'border-leaf' : 'border-transparent hover:border-outline',
              )}
            >
              <Picture src={image} alt="" ground={ground} sizes="8rem" />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
