import { LIST_LIMIT, ROLES } from '#contract/platform/http/constants';
import { canonicalEmail, EMAIL_PATTERN } from '#contract/platform/http/email';
import { z } from '#contract/platform/http/zod';
import type { AddressPart } from '#contract/platform/market/constants';
import { missingPart } from '#contract/platform/text/constants/address-words';
import { cleanText, isOneLine, isVisible } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** Writes what is wrong, for the reader of the moment: schemas are made before anybody reads. */
export type Words = () => string;

/** Returns the schema of an object that has a name in the documents of the API. */
export const named = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  z.object(fields).meta({ id });

/**
 * An id: a UUID, accepted in any case and converted to lower case, because ids are compared as
 * strings (rooms, cache keys, `===`).
 */
export const idField = (error?: Words) => z.uuid({ error }).toLowerCase();
export const Id = idField();

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime();

/** A wall-clock date, `YYYY-MM-DD`, never shifted between time zones. */
export const WallDate = z.iso.date({ error: () => t('Enter a date as YYYY-MM-DD.') });

/**
 * A {@link WallDate} as it can be entered. Beyond it instants have no year of four digits, and year 0 is none. What was
 * stored before stays.
 */
export const Day = WallDate.refine(
  // `WallDate` refuses what is no date.
  (day) => !/^\d{4}-/.test(day) || (day >= '1900' && day < '3000'),
  { error: () => t('Enter a date between 1900 and 2999.') },
);

const noEmail = { error: () => t('Please enter a valid email address.') };

/**
 * An email address as it is kept: in lower case, its domain in ASCII. The market itself writes `.invalid` where an account
 * has none.
 */
export const Email = z
  .string()
  .overwrite(canonicalEmail)
  .max(254, { error: () => t('Keep this to {max} characters.', { max: 254 }) })
  .pipe(
    z
      .email({ pattern: EMAIL_PATTERN, ...noEmail })
      .refine((email) => !email.endsWith('.invalid'), noEmail),
  );

const noTime = { error: () => t('Enter a time as HH:mm.') };

/** A wall-clock time, `HH:mm`. */
export const WallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, noTime);

/** A {@link WallTime} at which something ends: '24:00' at the end of the day. */
export const WallEnd = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, noTime);

/** An amount of money on the wire: a JSON number with at most as many decimals as the currency of the market has. */
export const Amount = z.number();

/** At most `max` characters without NUL and lone surrogates, which Postgres cannot store. */
const storable = (schema: z.ZodString, max: number) =>
  schema
    .max(max, { error: () => t('Keep this to {max} characters.', { max }) })
    .refine((value) => !value.includes('\u0000'), {
      error: () => t('Remove the NUL character.'),
    })
    .refine((value) => !/\p{Surrogate}/u.test(value), {
      error: () => t("Remove the character that can't be read."),
    });

/** Text as stored, of at most `max` characters: see {@link cleanText}. Empty where nothing in it is visible. */
export const text = (max: number, error?: Words) =>
  storable(z.string({ error }).overwrite(cleanText), max);

/** A {@link text} in which something is visible. */
export const requiredText = (max: number, error: Words) => text(max, error).min(1, { error });

/** A line of text, possibly empty, in which hidden characters are refused. */
export const optionalLine = (max: number, error?: Words) =>
  storable(z.string({ error }).trim(), max).refine(
    // NUL has its own message.
    (value) => value.includes('\u0000') || isOneLine(value),
    { error: () => t('Use one line of text, without hidden characters.') },
  );

let supported: ReadonlyMap<string, string> | undefined;

/**
 * Returns the time zone that a name stands for, or undefined for none. The name's case does not matter.
 * Another name of a supported zone, such as `Asia/Kolkata` where the list has `Asia/Calcutta`, is kept as it
 * is given; offsets such as `+05:30` have no summer time and are no zones.
 */
export function findTimeZone(name: string): string | undefined {
  supported ??= new Map(
    [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')].map((zone) => [
      zone.toLowerCase(),
      zone,
    ]),
  );
  const known = supported.get(name.toLowerCase());
  if (known !== undefined || !/^[a-z_]+(\/[a-z_-]+){1,2}$/i.test(name)) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    const resolved = supported.get(timeZone.toLowerCase());
    return resolved === DEFAULT_TIME_ZONE ? resolved : resolved && name;
  } catch {
    return undefined;
  }
}

/** The IANA name of a time zone, such as `Europe/Berlin`, in any case. */
export const TimeZone = text(64).transform((name, context) => {
  const found = findTimeZone(name);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: t('Choose a time zone from the list.') });
  return z.NEVER;
});

/**
 * A name: one line with something to see, in any script. Only input is checked; names stored earlier are returned
 * unchanged.
 */
export const oneLine = (max: number, error: Words) =>
  optionalLine(max, error).refine(isVisible, { error });

/** An http(s) link or empty; other schemes such as `javascript:` are rejected. */
export const optionalUrl = text(500).refine((value) => value === '' || isWebUrl(value), {
  error: () => t('Enter a web address that starts with https://.'),
});

function isWebUrl(value: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol);
  } catch {
    return false;
  }
}

export const Address = named('Address', {
  street: text(200).default(''),
  city: text(100).default(''),
  state: text(100).default(''),
  zipCode: text(20).default(''),
});
export type Address = z.infer<typeof Address>;

/** An address as it is entered where one is needed. */
export const RequiredAddress = z.object({
  street: requiredText(200, () => t('Street is required')),
  city: requiredText(100, () => t('City is required')),
  state: Address.shape.state,
  zipCode: Address.shape.zipCode,
});

/** A part of an address that is required where the market's country has it. */
const countryPart = (part: AddressPart, max: number) =>
  text(max).refine((value) => value !== '' || missingPart(part) === undefined, {
    error: () => missingPart(part) ?? '',
  });

/** An address to deliver to as a form has it, complete as the market's country writes it. */
export const DeliveryAddressForm = z.object({
  street: countryPart('street', 200),
  city: countryPart('city', 100),
  state: countryPart('state', 100),
  zipCode: countryPart('zipCode', 20),
});

/** The same as it is sent: a part that the country has not may be left out. */
export const DeliveryAddress = z.object({
  street: DeliveryAddressForm.shape.street.prefault(''),
  city: DeliveryAddressForm.shape.city.prefault(''),
  state: DeliveryAddressForm.shape.state.prefault(''),
  zipCode: DeliveryAddressForm.shape.zipCode.prefault(''),
});

/** A change of an address: omitted parts keep their values. */
export const PartialAddress = z
  .object({
    street: Address.shape.street.unwrap(),
    city: Address.shape.city.unwrap(),
    state: Address.shape.state.unwrap(),
    zipCode: Address.shape.zipCode.unwrap(),
  })
  .partial();

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT.max).default(LIST_LIMIT.default),
  cursor: text(200).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const FieldError = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** One problem of an order's line, machine-readable; its message is in `errors`. */
export const LineProblem = z.object({
  /** The line's index in the request, from 0. */
  line: z.int(),
  code: z.string(),
  /** The present price, if it differs. */
  price: Amount.optional(),
  /** How the product is sold now, if that changed: what the price is per, and what a piece weighs, null without. */
  unit: z.string().optional(),
  pieceWeight: z.object({ average: z.number() }).nullable().optional(),
  /** What a piece of the size contains now. */
  content: z.number().optional(),
  /** What the line is expected to cost now, if it is sold otherwise than the consumer saw. */
  estimate: Amount.optional(),
  /** The largest quantity that can be ordered, if it is too small. */
  left: z.number().optional(),
  /** The most that the line can have, if an order can have no more of the product. */
  most: z.number().optional(),
  /** The last day on which the product can be had, if the order is for a later one. */
  until: WallDate.optional(),
  /** In which steps and from which quantity the product is sold, if that is not how it was asked for. */
  step: z.number().optional(),
  minimum: z.number().optional(),
});
export type LineProblem = z.infer<typeof LineProblem>;

/**
 * The version that a change replaces, where its client knows it. If the entity has another one by now, the
 * change is refused with `VERSION_CONFLICT`, and the present entity is in the answer.
 */
export const ExpectedVersion = z.int().min(1).optional();

/**
 * The body of every error response: `message` is a sentence for a person, in the language of `Accept-Language`; `params`
 * are what it names.
 */
export const Failure = named('Failure', {
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
  errors: z.array(FieldError).optional(),
  /** All problems of the lines of a rejected order. */
  problems: z.array(LineProblem).optional(),
  /**
   * With `VERSION_CONFLICT`, the entity as it is now, in the form of the endpoint's answer. With
   * `DAY_CLOSED` and `CUTOFF_PASSED`, `{ next }`: the first possible day from the one asked for on, or
   * null. With `PRODUCT_IN_USE`, `{ orders }`: how many open orders use the product, and the ids of the first.
   */
  data: z.unknown().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** Returns what checks that a list names each thing once by a field. */
export const isOnceBy =
  <Field extends string>(field: Field) =>
  (items: readonly Readonly<Record<Field, unknown>>[]): boolean =>
    new Set(items.map((item) => item[field])).size === items.length;

/** Returns the schema `{ success, data }` of one entity. */
export const one = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data });

/** Returns the schema `{ success, data, count, nextCursor }` of one page of a list. */
export const list = <T extends z.ZodType>(item: T) =>
  z.object({
    success: z.literal(true),
    data: z.array(item),
    count: z.int(),
    nextCursor: z.string().nullable(),
  });

/** One page of a list as a service returns it. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** The schema of an answer without data. */
export const Done = named('Done', { success: z.literal(true) });

/** Returns the schema of `{ id }` in a path. An invalid UUID gets the message of an unknown id. */
export const idParams = (unknown: Words) => z.object({ id: idField(unknown) });
export const UserIdParams = z.object({ userId: idField(() => t('User not found')) });

/**
 * The fields of a range of days, both included and each optional. The days are the market's, like those
 * that the dashboard counts by.
 */
export const dayRangeFields = { from: Day.optional(), to: Day.optional() };

export const DayRange = z.object(dayRangeFields);
export type DayRange = z.infer<typeof DayRange>;

/** Returns whether the range holds at least one day. */
export const isDayRange = ({ from, to }: DayRange): boolean => !from || !to || from <= to;

/** The refusal of a range that holds no day. */
export const NO_DAY_IN_RANGE = {
  path: ['to'],
  error: () => t("The last day can't be before the first."),
};

const DAY_MS = 86_400_000;

/** Returns the schema of a range of at most so many days. */
export const dayRangeOf = (most: number) =>
  z
    .object(dayRangeFields)
    .refine(isDayRange, NO_DAY_IN_RANGE)
    .refine(
      // Also asked of dates that are none, which the fields refuse.
      ({ from, to }) => !from || !to || !(Date.parse(to) - Date.parse(from) >= most * DAY_MS),
      { path: ['to'], error: () => t('Ask for at most {most} days.', { most }) },
    );

/** A cursor whose sort key may be a name of any script. */
export const nameCursor = text(1000).optional();
