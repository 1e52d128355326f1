import { type KeyboardEvent, useRef, useState } from 'react';
import { cn } from '../ui/cn.ts';
import { Picture } from '../ui/Picture.tsx';

/** How far each key goes through the pictures. */
const steps: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * The pictures of a product: one large, and thumbnails to choose from when there are more. Arrow
 * keys, Home and End walk the thumbnails. A placeholder stands where there is no picture.
 */
export function Gallery({
  images,
  name,
  ground,
}: {
  images: readonly string[];
  /** What the pictures show. */
  name: string;
  /** Whose ground they stand on: the category's name. */
  ground: string;
}) {
  const [chosen, setChosen] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const last = Math.max(0, images.length - 1);
  // The farmer may have taken pictures away meanwhile.
  const at = Math.min(chosen, last);

  const walk = (event: KeyboardEvent) => {
    const next = steps[event.key]?.(at, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div className="grid content-start gap-3">
      <Picture
        src={images[at]}
        alt={images.length > 1 ? `${name}, picture ${at + 1} of ${images.length}` : name}
        ground={ground}
        eager
        sizes="(min-width: 76rem) 36rem, (min-width: 56rem) 50vw, 100vw"
        className="rounded border border-hairline"
      />
      {images.length > 1 && (
        <div
          ref={row}
          role="toolbar"
          aria-label={`Pictures of ${name}`}
          onKeyDown={walk}
          className="grid grid-cols-5 gap-2 sm:gap-3"
        >
          {images.map((image, index) => (
            <button
              key={image}
              type="button"
              aria-label={`Picture ${index + 1}`}
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
