import type { z } from '#contract/platform/http/zod';
import type { Market } from '#contract/platform/market/constants';
import { MarketForm } from '#contract/platform/market/market';
import { findLocale } from '#contract/platform/text/constants/formats';

export { MarketForm };

/** The values of the form's fields. */
export type MarketInput = z.input<typeof MarketForm>;

/** Returns the form values of the settings. */
export function toMarketInput({ version: _, ...settings }: Market): MarketForm {
  return structuredClone(settings);
}

/** Where markets are likely to be; any other locale that is set already is offered too. */
const LOCALES =
  'am-ET ar-AE ar-EG ar-MA bg-BG bn-BD bn-IN ca-ES cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-GH en-IE en-IN en-KE en-MY en-NG en-NZ en-PH en-PK en-SG en-TZ en-UG en-US en-ZA es-AR es-CL es-CO es-ES es-MX es-PE et-EE fa-IR fi-FI fr-BE fr-CA fr-CH fr-FR fr-SN he-IL hi-IN hr-HR hu-HU id-ID it-CH it-IT ja-JP ka-GE kk-KZ km-KH ko-KR lt-LT lv-LV mr-IN ms-MY my-MM nb-NO ne-NP nl-BE nl-NL pa-IN pl-PL ps-AF pt-BR pt-PT ro-RO si-LK sk-SK sl-SI sr-RS sv-SE sw-KE sw-TZ ta-IN te-IN th-TH tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** Returns the locales to choose from, and the one that is `kept`, by name in English. */
export function localeChoices(kept: string): { tag: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const known = LOCALES.filter((tag) => findLocale(tag) !== undefined);
  return [...new Set([...known, kept])]
    .map((tag) => ({ tag, name: names.of(tag) ?? tag }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
