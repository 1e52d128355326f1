import { useMarket } from '../../platform/format/market.ts';
import { Sprout } from '../../platform/ui/art/Sprout.tsx';
import { cn } from '../../platform/ui/cn.ts';

/** The logo of the market, without the name. */
export function Logo({ className }: { className?: string }) {
  const { logo } = useMarket();
  if (logo) {
    const small = logo.replace(/\.webp$/, '-small.webp');
    return (
      <img src={small} alt="" className={cn('shrink-0 rounded-sm object-contain', className)} />
    );
  }
  return <Sprout {...(className !== undefined && { className })} />;
}
