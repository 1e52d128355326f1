import { formatEstimate, formatMoney } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../cn.ts';

/** Formats an amount in tabular figures. */
export function Money({
  amount,
  per,
  isEstimate = false,
  className,
}: {
  amount: number;
  /** The unit of the price; adds 'per lb' in a lighter colour. */
  per?: string | undefined;
  /** It is not known for sure yet; adds '≈'. */
  isEstimate?: boolean;
  className?: string | undefined;
}) {
  const figures = (
    <bdi className={cn('tabular whitespace-nowrap', className)}>
      {isEstimate ? formatEstimate(amount) : formatMoney(amount)}
    </bdi>
  );
  if (!per) return figures;
  return (
    <span>
      {figures}{' '}
      <span className="whitespace-nowrap text-sm text-ink-soft">{t('per {per}', { per })}</span>
    </span>
  );
}
