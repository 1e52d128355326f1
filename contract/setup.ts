import { Register, Session } from '#contract/auth';
import { currencyCodes, DECIMALS_MAX, SIGN_LENGTH_MAX } from '#contract/constants/currencies';
import { SIGN_POSITIONS } from '#contract/constants/market';
import { setupApi as calls, READY_CATEGORY_KEYS } from '#contract/constants/setup';
import { endpoint, isOneLine, one, oneLine, TimeZone, text } from '#contract/http';
import { z } from '#contract/zod';

export * from '#contract/constants/setup';

const { name, email, password } = Register.shape;

let codes: ReadonlySet<string> | undefined;

/** The currency of a new market. Its decimals cannot be changed once it has a product. */
const NewCurrency = z.object({
  code: text(3)
    .toUpperCase()
    .refine((code) => {
      codes ??= new Set(currencyCodes());
      return codes.has(code);
    }, 'Choose a currency from the list.'),
  sign: oneLine(SIGN_LENGTH_MAX, 'Enter the sign that stands with amounts.').refine(
    (sign) => !/\p{N}/u.test(sign),
    "A sign can't have digits.",
  ),
  decimals: z
    .number('Choose how many decimals amounts have.')
    .int('Choose how many decimals amounts have.')
    .min(0, 'Choose how many decimals amounts have.')
    .max(DECIMALS_MAX, `Amounts have at most ${DECIMALS_MAX} decimals.`),
  position: z.enum(SIGN_POSITIONS),
});

/** A language and region that formats numbers and dates, such as `en-GB`. */
const Locale = text(35).transform((tag, context) => {
  try {
    const [known] = Intl.NumberFormat.supportedLocalesOf(tag);
    if (known !== undefined && isOneLine(known)) return known;
  } catch {
    // Not of the form of a tag: reported like an unknown one.
  }
  context.addIssue({ code: 'custom', message: 'Choose a language and region from the list.' });
  return z.NEVER;
});

/** What a new market begins with. */
export const SetUp = z.object({
  token: text(200).min(1, 'Open the whole link that the server printed.'),
  market: z.object({
    name: oneLine(60, 'Market name is required'),
    currency: NewCurrency,
    timeZone: TimeZone,
    locale: Locale.optional(),
  }),
  admin: z.object({ name, email, password }),
  /** Those that the market begins with, of the ready ones. */
  categories: z
    .array(z.enum(READY_CATEGORY_KEYS))
    .default([...READY_CATEGORY_KEYS])
    .transform((keys) => [...new Set(keys)]),
});
export type SetUp = z.infer<typeof SetUp>;

/** Whether nobody has opened the market yet. */
export const SetupState = z.object({ isNeeded: z.boolean() }).meta({ id: 'SetupState' });
export type SetupState = z.infer<typeof SetupState>;

export const setupApi = {
  state: endpoint({
    ...calls.state,
    summary: 'Whether this market has no admin yet',
    access: 'public',
    answer: one(SetupState),
  }),
  setUp: endpoint({
    ...calls.setUp,
    summary: "Set up a market that has no admin, once, with the token of the server's link",
    access: 'public',
    body: SetUp,
    answer: Session,
    status: 201,
    rate: 'login',
    failures: [403, 409],
    readsDeviceId: true,
  }),
};
