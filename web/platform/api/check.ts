/** A type guard for a value from an untrusted source. */
export type Check<Value> = (value: unknown) => value is Value;

export const isText: Check<string> = (value) => typeof value === 'string';

export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

export const isOneOf =
  <const Value>(values: readonly Value[]): Check<Value> =>
  (value): value is Value =>
    (values as readonly unknown[]).includes(value);

/** A number from `min` to `max`. */
export const isNumberIn =
  (min: number, max: number): Check<number> =>
  (value): value is number =>
    typeof value === 'number' && value >= min && value <= max;

/** A string that matches the pattern. */
export const isMatch =
  (pattern: RegExp): Check<string> =>
  (value): value is string =>
    isText(value) && pattern.test(value);

export const isNullOr =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || check(value);

export const isUndefinedOr =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value);

export const isListOf =
  <Value>(check: Check<Value>): Check<Value[]> =>
  (value): value is Value[] =>
    Array.isArray(value) && value.every(check);

export const isRecordOf =
  <Value>(check: Check<Value>): Check<Record<string, Value>> =>
  (value): value is Record<string, Value> =>
    typeof value === 'object' && value !== null && Object.values(value).every(check);

/** An object with these fields; a field that `Value` gains does not compile until it is checked. */
export const isObjectOf =
  <Value extends object>(fields: { [Name in keyof Value]-?: Check<Value[Name]> }): Check<Value> =>
  (value): value is Value =>
    typeof value === 'object' &&
    value !== null &&
    (Object.keys(fields) as (keyof Value)[]).every((name) => fields[name]((value as Value)[name]));

/** A whole number from 0. */
export const isWholeNumber: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
