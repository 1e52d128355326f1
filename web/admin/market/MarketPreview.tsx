import { useWatch } from 'react-hook-form';
import type { Market } from '#contract/platform/market/constants';
import { makeMoneyFormat } from '#contract/platform/money/constants';
import { englishLocale } from '#contract/platform/text/constants/formats';
import type { AppForm } from '../../platform/ui/form/form.tsx';
import { MarketForm, type MarketInput } from './market-form.ts';

/** A Saturday's afternoon, whatever today is, so that the parts of a date differ. */
const SAMPLE_INSTANT = Date.UTC(2026, 10, 28, 16, 5);
const SAMPLE_AMOUNT = 1234.5;

/** Returns a price and a date as a market writes them. */
export function samplesOf(market: Pick<Market, 'currency' | 'locale'>): {
  price: string;
  date: string;
} {
  const date = new Intl.DateTimeFormat(englishLocale(market), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return { price: makeMoneyFormat(market)(SAMPLE_AMOUNT), date: date.format(SAMPLE_INSTANT) };
}

/** A price and a date by what the form holds; stays at the last ones while that is not complete. */
export function MarketPreview({
  form,
  market,
}: {
  form: AppForm<MarketInput, MarketForm>;
  market: Market;
}) {
  const [currency, locale, units] = useWatch({
    control: form.control,
    name: ['currency', 'locale', 'units'],
  });
  const shape = MarketForm.pick({ currency: true, locale: true }).safeParse({ currency, locale });
  const { price, date } = samplesOf(shape.success ? shape.data : market);
  return (
    <output
      aria-label="Preview"
      className="grid gap-1 rounded bg-sunken px-4 py-3 text-sm sm:col-span-2"
    >
      <span className="text-ink-soft">This is how it will look</span>
      <span className="tabular text-xl font-semibold">
        {price} <span className="text-sm font-normal">per {units[0] ?? 'kg'}</span>
      </span>
      <span>{date}</span>
    </output>
  );
}
