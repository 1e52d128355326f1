import { READY_CATEGORY_KEYS, usualUnits } from '#contract/admin/setup/constants';
import { SetUp } from '#contract/admin/setup/setup';
import type { z } from '#contract/platform/http/zod';
import { DEFAULT_MARKET, type Market } from '#contract/platform/market/constants';
import { makeMoneyFormat } from '#contract/platform/money/constants';
import { findLocale } from '#contract/platform/text/constants/formats';
import { confirmation, mismatch, passwordsMatch } from '../../people/model/repeated-password.ts';

const Admin = SetUp.shape.admin.extend(confirmation).refine(passwordsMatch, mismatch);

/** The values of the form: the body of the call, and the password twice. */
export const SetUpForm = SetUp.extend({ admin: Admin });
export type SetUpInput = z.input<typeof SetUpForm>;

/** Returns what the form begins with, by what the browser knows of the place and the language. */
export function emptySetUp(token: string): SetUpInput {
  const { timeZone, locale: usual } = new Intl.DateTimeFormat().resolvedOptions();
  // A language that is not known here, or not as a language, has no field where it could be put right.
  const locale = findLocale(navigator.language) ?? findLocale(usual);
  return {
    token,
    market: {
      name: '',
      // Chosen on purpose: it cannot be changed once something has a price.
      currency: { code: '', sign: '', decimals: 2, position: 'before' },
      timeZone,
      locale,
      units: usualUnits({ locale: locale ?? DEFAULT_MARKET.locale, timeZone }),
      approvesFarms: false,
    },
    admin: { name: '', email: '', password: '', confirmPassword: '' },
    categories: [...READY_CATEGORY_KEYS],
  };
}

/** Returns the token of the set-up link in the fragment of the page's address; empty without one. */
export const tokenIn = (hash: string): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/** Formats an amount as the market is going to: '1.234,50 €'. */
export const previewPrice = (currency: Market['currency'], locale = ''): string =>
  makeMoneyFormat({ currency, locale: findLocale(locale) ?? DEFAULT_MARKET.locale })(1234.5);
