import { cn } from '../../platform/ui/cn.ts';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/** The small picture of a product in a list; grey of what is gone. */
export function Thumbnail({
  name,
  image,
  isGone = false,
}: {
  name?: string;
  image: string | undefined;
  isGone?: boolean;
}) {
  return (
    <Picture
      src={image}
      alt=""
      ground={name}
      sizes="48px"
      className={cn('size-12 shrink-0 rounded-xs', isGone && 'opacity-50 grayscale')}
    />
  );
}
