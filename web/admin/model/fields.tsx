import { currencyChoices } from '#contract/admin/setup/constants';
import { CURRENCY_DECIMALS } from '#contract/platform/market/constants';

/** The currencies to choose from, the `kept` one among them, by name. */
export const currencyOptions = (kept?: string) =>
  currencyChoices(kept).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));

export const DECIMALS_OPTIONS = CURRENCY_DECIMALS.map((decimals) => ({
  value: decimals,
  label: String(decimals),
}));
