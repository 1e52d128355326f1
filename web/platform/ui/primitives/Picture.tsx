import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { initial } from '../../format/format.ts';
import { useIsServerRendered } from '../../hooks/hydration.ts';
import { cn } from '../cn.ts';
import { groundClass } from '../ground.ts';

const uploaded = /^\/uploads\/.+\.webp$/;
const placeholder = '/placeholder.svg';

/** `rendered` came with the server's page: it is shown as it loads. */
type Status = 'rendered' | 'loading' | 'loaded' | 'broken';

export type PictureProps = {
  /** The URL; a placeholder is shown if it is missing or fails to load. */
  src: string | null | undefined;
  /** Shown instead of the placeholder. */
  fallback?: ReactNode;
  alt: string;
  /** The displayed width as in `<img sizes>`, so that phones load the small file. */
  sizes?: string;
  /** The name that determines the background, usually the category's. */
  ground?: string | undefined;
  /** Loads the picture immediately with high priority, for the main picture of a page. */
  eager?: boolean;
  className?: string | undefined;
} & Pick<ComponentProps<'img'>, 'draggable' | 'id'>;

/** A product picture with a placeholder, blurred until it has loaded. */
export function Picture({
  src,
  alt,
  sizes = '(min-width: 64rem) 25vw, (min-width: 48rem) 33vw, 50vw',
  ground = '',
  eager = false,
  fallback,
  className,
  ...rest
}: PictureProps) {
  const isServerRendered = useIsServerRendered();
  const [state, setState] = useState<{ src: typeof src; status: Status }>({
    src,
    status: isServerRendered ? 'rendered' : 'loading',
  });
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // What the server rendered may have failed before anybody listened.
    const { current } = image;
    const hasFailed = current?.complete === true && current.naturalWidth === 0;
    setState((before) =>
      before.status === 'rendered' && hasFailed ? { ...before, status: 'broken' } : before,
    );
  }, []);
  // Another `src` starts loading again.
  const status = state.src === src ? state.status : 'loading';
  const shown = src && status !== 'broken' ? src : placeholder;
  const small = uploaded.test(shown) ? shown.replace(/\.webp$/, '-small.webp') : undefined;
  const frameClass = cn(
    'relative block overflow-hidden after:pointer-events-none after:absolute after:inset-0 after:bg-(--picture-shade) aspect-square',
    groundClass(ground),
    className,
  );
  if (fallback !== undefined && shown === placeholder) {
    return <span className={cn(frameClass, 'after:hidden')}>{fallback}</span>;
  }
  return (
    <span className={frameClass}>
      <img
        key={shown}
        {...rest}
        ref={image}
        src={shown}
        {...(small ? { srcSet: `${small} 480w, ${shown} 1200w`, sizes } : {})}
        alt={alt}
        width={1200}
        height={1200}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        onLoad={() => setState({ src, status: status === 'broken' ? 'broken' : 'loaded' })}
        onError={() => setState({ src, status: 'broken' })}
        className={cn(
          'size-full object-cover transition-[filter,opacity] duration-300',
          status === 'loading' && src && 'opacity-60 blur-lg',
        )}
      />
    </span>
  );
}

/** The first letter of a name on a background that is derived from the name. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-grid size-10 shrink-0 select-none place-items-center rounded-full font-display text-base font-semibold text-ink',
        groundClass(name),
        className,
      )}
    >
      {initial(name)}
    </span>
  );
}
