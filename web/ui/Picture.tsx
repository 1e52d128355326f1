import { type ComponentProps, useState } from 'react';
import { cn } from './cn.ts';
import { groundClass } from './ground.ts';

const uploaded = /^\/uploads\/.+\.webp$/;
const placeholder = '/placeholder.svg';

export type PictureProps = {
  /** The address of the picture; a placeholder stands in when it is missing or broken. */
  src: string | null | undefined;
  alt: string;
  /** How wide it is drawn, as in `<img sizes>`, so that a phone loads the small one. */
  sizes?: string;
  /** Whose ground it stands on: the category's name. */
  ground?: string | undefined;
  /** Its proportions; the frame keeps them before anything has arrived. */
  ratio?: 'square' | 'wide';
  /** For the one large picture of a page: loaded at once and first. */
  eager?: boolean;
  className?: string | undefined;
} & Pick<ComponentProps<'img'>, 'draggable' | 'id'>;

/** A picture of produce in its frame. Keeps its place while loading, and is sharp when it is there. */
export function Picture({
  src,
  alt,
  sizes = '(min-width: 64rem) 25vw, (min-width: 48rem) 33vw, 50vw',
  ground = '',
  ratio = 'square',
  eager = false,
  className,
  ...rest
}: PictureProps) {
  const [state, setState] = useState<{ src: typeof src; is: 'coming' | 'here' | 'broken' }>({
    src,
    is: 'coming',
  });
  // Another picture in the same frame starts anew.
  const is = state.src === src ? state.is : 'coming';
  const shown = src && is !== 'broken' ? src : placeholder;
  const small = uploaded.test(shown) ? shown.replace(/\.webp$/, '-small.webp') : undefined;
  const height = ratio === 'wide' ? 800 : 1200;
  return (
    <span
      className={cn(
        'block overflow-hidden',
        ratio === 'wide' ? 'aspect-3/2' : 'aspect-square',
        groundClass(ground),
        className,
      )}
    >
      <img
        {...rest}
        key={shown}
        src={shown}
        {...(small ? { srcSet: `${small} 480w, ${shown} 1200w`, sizes } : {})}
        alt={alt}
        width={1200}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        onLoad={() => setState({ src, is: is === 'broken' ? 'broken' : 'here' })}
        onError={() => setState({ src, is: 'broken' })}
        className={cn(
          'size-full object-cover transition-[filter,opacity] duration-300',
          is === 'coming' && src && 'opacity-60 blur-lg',
        )}
      />
    </span>
  );
}
