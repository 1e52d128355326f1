import { findLocale } from '#contract/constants/locale';
import { CURRENCY_DECIMALS_MAX, type Market } from '#contract/constants/market';
import { MarketForm } from '#contract/market';
import type { z } from '#contract/zod';

export { MarketForm };

/** The values of the form's fields. */
export type MarketInput = z.input<typeof MarketForm>;

/** Returns the form values of the settings. */
export function toMarketInput({ version: _, ...settings }: Market): MarketForm {
  return structuredClone(settings);
}

/** Returns a name in English, or the code itself where the browser knows none. */
function nameOf(type: 'currency' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames('en', { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A choice of a select. */
export type Choice = { value: string; label: string };

/** Returns the currencies that the browser knows, and the one that is `kept`, by code. */
export const currencyChoices = (kept: string): Choice[] =>
  [...new Set([...Intl.supportedValuesOf('currency'), kept])]
    .toSorted()
    .map((code) => ({ value: code, label: `${code} – ${nameOf('currency', code)}` }));

/** Returns how a currency is usually written: its sign and its decimals. */
export function usualCurrency(code: string): { sign: string; decimals: number } {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? code;
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return { sign, decimals: Math.min(maximumFractionDigits, CURRENCY_DECIMALS_MAX) };
}

/** Where markets are likely to be; any other locale that is set already is offered too. */
const LOCALES =
  'am-ET ar-AE ar-EG ar-MA bg-BG bn-BD bn-IN ca-ES cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-GH en-IE en-IN en-KE en-MY en-NG en-NZ en-PH en-PK en-SG en-TZ en-UG en-US en-ZA es-AR es-CL es-CO es-ES es-MX es-PE et-EE fa-IR fi-FI fr-BE fr-CA fr-CH fr-FR fr-SN he-IL hi-IN hr-HR hu-HU id-ID it-CH it-IT ja-JP ka-GE kk-KZ km-KH ko-KR lt-LT lv-LV mr-IN ms-MY my-MM nb-NO ne-NP nl-BE nl-NL pa-IN pl-PL ps-AF pt-BR pt-PT ro-RO si-LK sk-SK sl-SI sr-RS sv-SE sw-KE sw-TZ ta-IN te-IN th-TH tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** Returns the locales to choose from, and the one that is `kept`, by name. */
export const localeChoices = (kept: string): Choice[] =>
  [...new Set([...LOCALES.filter((tag) => findLocale(tag) !== undefined), kept])]
    .map((tag) => ({ value: tag, label: nameOf('language', tag) }))
    .toSorted((one, other) => (one.label < other.label ? -1 : 1));
