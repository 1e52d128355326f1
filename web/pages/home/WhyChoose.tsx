import { ArrowDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { theMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { Drawing } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { StatusBadge } from '../../platform/ui/primitives/Button.tsx';

/** Four reasons to use the market, each with an example. */
export const WhyChoose = () => (
  <section aria-labelledby="why-title" className="wrap defer-paint-300 md:defer-paint-165">
    <h2 id="why-title" className="mb-6 text-3xl">
      {t('Why Choose {market}', { market: theMarket().name })}
    </h2>
    <ul className="grid gap-4 md:grid-cols-12">
      <Reason
        className="bg-ground-straw md:col-span-7"
        title={t('Picked, not stored')}
        text={t(
          'Each product says when it was harvested and how much of it is left. What you order is taken from the field for you.',
        )}
      >
        <div className="flex items-end gap-4">
          <Drawing name="basket" className="size-32 sm:size-36" />
          <p className="mb-8 -rotate-3 rounded bg-raised px-3 py-2 text-sm font-medium">
            {t('Harvested this morning')}
          </p>
        </div>
      </Reason>
      <Reason
        className="bg-ground-clay md:col-span-5"
        title={t('The farmer sets the price')}
        text={t('You pay what the farm asks. Nothing is added on the way.')}
      >
        <Bill />
      </Reason>
      <Reason
        className="bg-ground-sky md:col-span-5"
        title={t('You see it happen')}
        text={t('The moment the farmer accepts, your order says so. No reloading, no guessing.')}
      >
        <div className="flex items-center gap-3 sm:grid sm:justify-items-start sm:gap-2">
          <StatusBadge status="pending" className="text-sm" />
          <ArrowDown className="size-5 -rotate-90 max-sm:rtl:rotate-90 text-ink-soft sm:ms-8 sm:rotate-0" />
          <StatusBadge status="accepted" className="text-sm" />
        </div>
      </Reason>
      <Reason
        className="bg-ground-leaf md:col-span-7"
        title={t('Ask who grew it')}
        text={t(
          'Write to the farmer before you buy or after. The answer comes from the field, not from a script.',
        )}
      >
        <div className="grid w-full max-w-sm gap-2 text-sm">
          <p className="w-fit max-w-[85%] justify-self-end rounded rounded-ee-none bg-leaf px-3.5 py-2 text-on-leaf">
            {t('Will the pears be ripe by Saturday?')}
          </p>
          <p className="w-fit max-w-[85%] rounded rounded-es-none bg-raised px-3.5 py-2">
            {t('I pick them on Friday evening. They will be just right.')}
          </p>
        </div>
      </Reason>
    </ul>
  </section>
);

const Reason = ({
  title,
  text,
  className,
  children,
}: {
  title: string;
  text: string;
  className: string;
  children: ReactNode;
}) => (
  <li
    className={cn(
      'grid content-between gap-6 overflow-hidden rounded p-5 sm:p-7 md:min-h-64',
      className,
    )}
  >
    <div className="grid gap-2">
      <h3 className="font-display text-lg font-semibold">{title}</h3>
      <p className="max-w-md text-ink-soft">{text}</p>
    </div>
    {/* A decorative example of the text above. */}
    <div aria-hidden="true">{children}</div>
  </li>
);

const bill = [
  { what: msg('Radishes, 2 bunches'), amount: 520 },
  { what: msg('Eggs, 1 dozen'), amount: 560 },
];

function Bill() {
  const row = 'flex items-baseline justify-between gap-3';
  return (
    <div className="tabular grid max-w-64 gap-1.5 rounded bg-raised px-4 py-3 text-sm">
      {bill.map(({ what, amount }) => (
        <p key={amount} className={row}>
          <span>{writeMessage(what)}</span>
          <span>{formatMoney(examplePrice(amount))}</span>
        </p>
      ))}
      <p className={cn(row, 'border-t border-hairline pt-1.5 font-semibold')}>
        <span>{t('To the farm')}</span>
        <span>{formatMoney(examplePrice(1080))}</span>
      </p>
    </div>
  );
}

/** Currencies in which a dozen of eggs costs less than ten: an example in hundreds would be absurd there. */
const DEAR = new Set(
  'AED AUD AZN BAM BBD BGN BHD BND BRL BSD BYN BZD CAD CHF EUR FJD GBP GEL GIP ILS JOD KWD KYD LYD MYR NZD OMR PAB PEN PLN QAR RON SAR SGD TND TOP USD XCD'.split(
    ' ',
  ),
);

/** Returns an example price that was made up in rupees, in an order of magnitude that fits the market's currency. */
export const examplePrice = (rupees: number): number =>
  DEAR.has(theMarket().currency.code) ? rupees / 100 : rupees;
