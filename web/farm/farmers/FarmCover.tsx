import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/** The wide picture of a farm: the farmer's own, or the landscape that is drawn from its name. */
export function FarmCover({
  title,
  cover,
  alt = '',
  sizes,
  wide = false,
  eager = false,
  className,
}: {
  /** The name under which the farm is known. */
  title: string;
  cover: string | null | undefined;
  /** Describes the farmer's own picture; a drawn one is decoration. */
  alt?: string;
  sizes?: string;
  /** For a banner, which shows only the middle of the landscape. */
  wide?: boolean;
  eager?: boolean;
  /** The frame's shape; two to one by default. */
  className?: string;
}) {
  return (
    <Picture
      src={cover}
      alt={alt}
      ground={title}
      eager={eager}
      {...(sizes ? { sizes } : {})}
      fallback={<FarmLandscape name={title} wide={wide} className="aspect-auto h-full" />}
      className={cn('aspect-2/1', className)}
    />
  );
}

/** The round picture of the people or the place; nothing without one. */
export function FarmPhoto({
  photo,
  alt = '',
  className,
}: {
  photo: string | null | undefined;
  alt?: string;
  /** Its place and size. */
  className: string;
}) {
  if (!photo) return null;
  return (
    <Picture
      src={photo}
      alt={alt}
      sizes="7rem"
      className={cn('rounded-full border-surface bg-surface', className)}
    />
  );
}
