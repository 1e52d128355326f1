import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../edge/docs/shape.ts';

/** Returns meaningful values for a field's name, such as existing ids, or undefined. */
export type Meaning = (name: string) => Arbitrary<unknown> | undefined;

const NUL = '\u0000';

/** Texts that often break programs. */
const NASTY_TEXTS = [
  '',
  ' ',
  NUL,
  `a${NUL}b`,
  '\ud800',
  'x\udfffy',
  '\u202egpj.exe',
  '\ufeff\u200b\u2028\u2029',
  '👩‍🌾🥕',
  '𝒻𝒶𝓇𝓂',
  'e\u0301'.repeat(20),
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE users; --",
  '%',
  '_',
  '\\',
  '%_\\%',
  '％＿＼',
  '{{7*7}}',
  '../../etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<b>x</b>',
  'https://farm.test/picture.webp',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '1e400',
  '0x10',
  '9'.repeat(40),
  '2024-02-30',
  '0000-01-01',
  '9999-12-31',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '[1,2]',
  '{}',
  'WyJuZXdlc3QiLCIyMDI0LTAxLTAxVDAwOjAwOjAwWiIsIngiXQ',
];

const NASTY_NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  0.001,
  1e-320,
  1e-9,
  0.005,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
];

const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 100, max: 6000 }).map((length) => '🥕'.repeat(length)),
);

const deep = fc.integer({ min: 50, max: 3000 }).map((depth) => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
});

/** Any JSON value, mostly edge cases. */
export const nastyValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NASTY_NUMBERS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [[]],
      [null],
      JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"x": 1}}}'),
      { $ne: null },
      { toString: 'no function' },
      { length: -1 },
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deep },
);

const pad = (count: number) => String(count).padStart(2, '0');
const someDay = fc
  .tuple(fc.integer({ min: 1999, max: 2090 }), fc.integer({ min: 1, max: 12 }), fc.nat(27))
  .map(([year, month, day]) => `${year}-${pad(month)}-${pad(day + 1)}`);

const FORMATS: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid({ version: 4 }),
  date: someDay,
  'date-time': someDay.map((day) => `${day}T12:00:00Z`),
  uri: fc.constant('https://farm.test/'),
};

/** Texts that are valid for every text field. */
const readableText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('Carrots', 'Käse & Söhne', '<b>"bold"</b>', '🥕', 'فلفل', "O'Neill; --"),
);

function validText(schema: Schema): Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 100 } = schema;
  if (format && FORMATS[format]) return FORMATS[format];
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return readableText.map((text) => text.padEnd(minLength, 'x').slice(0, maxLength));
}

/** Generates values that a schema of the document allows. */
export function validValue(schema: Schema, meaning: Meaning, name = ''): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) {
    return fc.oneof(...schema.anyOf.map((choice) => validValue(choice, meaning, name)));
  }
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.items) {
    return fc.array(validValue(schema.items, meaning, name), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    });
  }
  if (schema.type === 'object') return validObject(schema, meaning);
  const meant = meaning(name);
  if (meant) return meant;
  if (schema.type === 'string') return validText(schema);
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1000;
  const max = Math.min(schema.maximum ?? min + 5000, min + 5000);
  // Numbers have up to two decimals, as money does.
  return schema.type === 'integer'
    ? fc.integer({ min, max })
    : fc
        .integer({ min: Math.ceil(min * 100) + 1, max: Math.floor(max * 100) })
        .map((hundredths) => hundredths / 100);
}

function validObject(schema: Schema, meaning: Meaning): Arbitrary<unknown> {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  if (propertyNames && typeof additionalProperties === 'object') {
    return fc.dictionary(
      validValue(propertyNames, meaning) as Arbitrary<string>,
      validValue(additionalProperties, meaning),
      { maxKeys: 3 },
    );
  }
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [key, validValue(field, meaning, key)]),
    ),
    { requiredKeys: required },
  );
}

/** Generates values at and just beyond a schema's limits. */
export function boundaryValue(schema: Schema): Arbitrary<unknown> {
  const edges: unknown[] = [];
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  for (const edge of [minimum, maximum, exclusiveMinimum]) {
    if (edge !== undefined) edges.push(edge, edge - 1, edge + 1, edge + 0.005);
  }
  for (const edge of [minLength, maxLength]) {
    if (edge === undefined) continue;
    for (const length of [edge - 1, edge, edge + 1]) {
      edges.push('x'.repeat(Math.max(0, length)), '🥕'.repeat(Math.max(0, Math.floor(length / 2))));
    }
  }
  for (const edge of [minItems, maxItems]) {
    if (edge !== undefined)
      edges.push(Array(Math.max(0, edge - 1)).fill('x'), Array(edge + 1).fill('x'));
  }
  if (schema.format === 'date') edges.push('1899-12-31', '1900-01-01', '9999-12-31', '0000-01-01');
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(boundaryValue));
  return edges.length > 0 ? fc.constantFrom(...edges) : nastyValue;
}

/** Returns all fields of an object's schema with their paths, nested ones included. */
function fieldsOf(schema: Schema, path: string[] = []): { path: string[]; field: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
    { path: [...path, key], field },
    ...fieldsOf(field, [...path, key]),
  ]);
}

/** Returns a copy of `body` with another value at the path. */
function withValue(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const at = typeof body === 'object' && body !== null ? body : {};
  const inner = (at as Record<string, unknown>)[key];
  return { ...at, [key]: withValue(inner, rest, value) };
}

/** Generates valid bodies with one field replaced by a boundary or nasty value. */
export function brokenBody(schema: Schema, meaning: Meaning): Arbitrary<unknown> {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return nastyValue;
  return fc
    .constantFrom(...fields)
    .chain(({ path, field }) =>
      fc
        .tuple(validValue(schema, meaning), fc.oneof(boundaryValue(field), nastyValue))
        .map(([body, value]) => withValue(body, path, value)),
    );
}

/** Returns the path of every value in a body, its objects and lists included. */
const pathsIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
    : [path];

/** Returns a copy of a body with another value at a path of it. */
function replacedAt(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = replacedAt((body as Record<string, unknown>)[key], rest, value);
  return Array.isArray(body)
    ? body.with(Number(key), inner)
    : { ...(body as object), [key]: inner };
}

/** Generates copies of a valid body with one of its values replaced by a nasty one. */
export const spoiled = (body: unknown): Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...pathsIn(body)), nastyValue)
    .map(([path, value]) => replacedAt(body, path, value));
