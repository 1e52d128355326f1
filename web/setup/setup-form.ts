import { currencyCodes, currencyName } from '#contract/constants/currencies';
import type { Market } from '#contract/constants/market';
import { READY_CATEGORY_KEYS, SetUp } from '#contract/setup';
import type { z } from '#contract/zod';
import { confirmation, mismatch, passwordsMatch } from '../ui/repeated-password.ts';

const Admin = SetUp.shape.admin.extend(confirmation).refine(passwordsMatch, mismatch);

/** The values of the form: the body of the call, and the password twice. */
export const SetUpForm = SetUp.extend({ admin: Admin });
export type SetUpInput = z.input<typeof SetUpForm>;

/** Returns what the form begins with, by what the browser knows of the place and the language. */
export function emptySetUp(token: string): SetUpInput {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    token,
    market: {
      name: '',
      // Chosen on purpose: it cannot be changed once something has a price.
      currency: { code: '', sign: '', decimals: 2, position: 'before' },
      timeZone,
      locale: navigator.language || locale,
      approvesFarms: false,
    },
    admin: { name: '', email: '', password: '', confirmPassword: '' },
    categories: [...READY_CATEGORY_KEYS],
  };
}

/** Returns the token of the set-up link in the fragment of the page's address; empty without one. */
export const tokenIn = (hash: string): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/** Returns the currencies that are in use today, by name. A name of a former one ends in its years. */
export const presentCurrencies = (): { code: string; name: string }[] =>
  currencyCodes()
    .map((code) => ({ code, name: currencyName(code) }))
    .filter(({ code, name }) => name !== code && !/\d|test|unknown/i.test(name))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** Formats an amount as the market is going to: '1.234,50 €'. */
export function previewPrice(
  { sign, decimals, position }: Market['currency'],
  locale: string | undefined,
): string {
  const digits = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(1234.5);
  if (position === 'after') return `${digits}\u00a0${sign}`;
  return /\p{L}$/u.test(sign) ? `${sign}\u00a0${digits}` : `${sign}${digits}`;
}
