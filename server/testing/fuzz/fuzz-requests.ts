import fc, { type Arbitrary } from 'fast-check';
import type { Endpoint } from '#contract/platform/http/endpoint';
import type { Role } from '#contract/platform/http/http';
import type { Schema } from '../../edge/docs/shape.ts';
import type { DocumentedApi } from './documented.ts';
import { boundaryValue, brokenBody, type Meaning, nastyValue, validValue } from './fuzz-values.ts';

export type Party = Role | 'visitor';

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Schema;
}

export interface Operation {
  method: Endpoint['method'];
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  isMultipart: boolean;
}

export interface Fuzzed {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export function readOperations(document: DocumentedApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as unknown as {
        parameters?: Parameter[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const content = requestBody?.content ?? {};
      return {
        method: method.toUpperCase() as Operation['method'],
        path,
        parameters,
        body: resolve(document, content['application/json']?.schema),
        isMultipart: 'multipart/form-data' in content,
      };
    }),
  );
}

/** A schema with what it refers to in its place. */
function resolve(document: DocumentedApi, schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === 'string'
      ? resolve(document, document.components.schemas[value.$ref.split('/').at(-1)] as Schema)
      : value,
  );
}

export const oneIn = <T>(weights: [number, Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...weights.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** A value as it stands in an address. */
const asText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // Halves of characters cannot stand in an address at all.
  return encodeURIComponent(Buffer.from(text.slice(0, 600)).toString());
};

const BROKEN_ESCAPES = ['%', '%zz', '%E0%A4%A', '%00', '%ff%fe', '%C0%AF', '..%2f..', '%2e%2e'];

export function pathOf({ path, parameters }: Operation, meaning: Meaning): Arbitrary<string> {
  const values = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) =>
      oneIn<string>([
        [14, validValue(schema, meaning, name).map(asText)],
        [1, nastyValue.map(asText).map((text) => text || '%20')],
        [1, fc.constantFrom(...BROKEN_ESCAPES)],
      ]).map((value) => ({ name, value })),
    );
  return fc
    .tuple(...values)
    .map((given) =>
      given.reduce((whole, { name, value }) => whole.replace(`{${name}}`, () => value), path),
    );
}

export function queryOf({ parameters }: Operation, meaning: Meaning): Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const value = oneIn<string>([
        [4, validValue(schema, meaning, name).map(asText)],
        [1, boundaryValue(schema).map(asText)],
        [1, nastyValue.map(asText)],
        [1, fc.constantFrom(...BROKEN_ESCAPES)],
      ]).map((text) => [`${name}=${text}`]);
      return oneIn<string[]>([
        [3, fc.constant([])],
        [4, value],
        [1, fc.tuple(value, value).map((both) => both.flat())],
        [1, value.map(([pair = '']) => [pair.replace('=', '[a]=')])],
      ]);
    });
  const odd = fc.constantFrom(
    '__proto__=1',
    'constructor[prototype]=1',
    '=',
    '&&&',
    '%=%',
    'a'.repeat(3000),
  );
  return fc
    .tuple(
      fc.tuple(...pairs),
      oneIn<string>([
        [15, fc.constant('')],
        [1, odd],
      ]),
    )
    .map(([given, more]) => [...given.flat(), more].filter(Boolean).join('&'))
    .map((query) => (query ? `?${query}` : ''));
}

const BROKEN_JSON = [
  '',
  '{',
  '{"a":',
  'null',
  '"text"',
  '[',
  '{"a":1}{"b":2}',
  '\u0000',
  "{'a':1}",
];
const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/vnd.api+json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'nonsense',
];

type Content = Pick<Fuzzed, 'headers' | 'body'>;

const asJson = (value: unknown): Content => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

const asForm = (name: string, file: Buffer, end = '\r\n--x--\r\n'): Content => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`),
    file,
    Buffer.from(end),
  ]),
});

export function contentOf(
  operation: Operation,
  meaning: Meaning,
  picture: Buffer,
): Arbitrary<Content> {
  const nothing = fc.constant<Content>({ headers: {}, body: undefined });
  if (operation.method === 'GET') return nothing;
  const schema = operation.body ?? { type: 'object' };
  const valid = validValue(schema, meaning).map(asJson);
  const anything = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const broken = oneIn<Content>([
    [2, nastyValue.map(asJson)],
    [
      2,
      fc.constantFrom(...BROKEN_JSON).map((text) => ({ ...asJson(''), body: Buffer.from(text) })),
    ],
    [1, anything.map((body) => ({ ...asJson(''), body }))],
    [1, fc.constant(asJson({ name: 'x'.repeat(300_000) }))],
    [
      2,
      fc.tuple(fc.constantFrom(...CONTENT_TYPES), valid).map(([type, { body }]) => ({
        headers: { 'content-type': type },
        body,
      })),
    ],
    [
      1,
      fc
        .tuple(fc.constantFrom('gzip', 'deflate', 'br', 'nonsense'), anything)
        .map(([encoding, body]) => ({
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
          body,
        })),
    ],
    [1, nothing],
  ]);
  const form = oneIn<Content>([
    [4, fc.constant('images').map((name) => asForm(name, picture))],
    [1, anything.map((file) => asForm('images', file))],
    [1, nastyValue.map((name) => asForm(JSON.stringify(name), picture))],
    [1, fc.nat(picture.length).map((end) => asForm('images', picture.subarray(0, end)))],
    [1, fc.constant(asForm('images', picture, ''))],
  ]);
  return operation.isMultipart
    ? oneIn([
        [4, form],
        [1, broken],
      ])
    : oneIn([
        [5, valid],
        [5, brokenBody(schema, meaning).map(asJson)],
        [2, broken],
      ]);
}

const BROKEN_TOKENS = [
  'Bearer',
  'Bearer  ',
  'Basic YTpi',
  'Bearer a.b.c',
  `Bearer ${'x'.repeat(6000)}`,
  '\u00ff',
];

/** @param tokenNow the token of anyone who asks; another one after theirs was ended by a request */
export function headersOf(
  operation: Operation,
  tokenNow: () => string | undefined,
): Arbitrary<Record<string, string>> {
  const own = fc.constant(tokenNow).map((now): Record<string, string> => {
    const token = now();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  });
  const forged = fc.constantFrom(...BROKEN_TOKENS).map((authorization) => ({ authorization }));
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const broken = fc.constantFrom('x'.repeat(201), 'a b', '\u00e9');
  // Nearly every write takes a key: most are new, so that what the key is sent with is tried too.
  const key = oneIn<string>([
    [8, fc.uuid()],
    [1, fc.constant('one')],
    [1, broken],
  ]);
  const keys: Arbitrary<Record<string, string>> = takesKey
    ? key.map((name) => ({ 'idempotency-key': name }))
    : fc.constant({});
  const takesDeviceId = operation.parameters.some(({ name }) => name === 'X-Device-Id');
  const deviceIds: Arbitrary<Record<string, string>> = takesDeviceId
    ? fc.oneof(fc.uuid(), broken).map((id) => ({ 'x-device-id': id }))
    : fc.constant({});
  return fc
    .tuple(
      oneIn<Record<string, string>>([
        [24, own],
        [1, forged],
      ]),
      oneIn<Record<string, string>>([
        [2, fc.constant({})],
        [1, keys],
      ]),
      oneIn<Record<string, string>>([
        [2, fc.constant({})],
        [1, deviceIds],
      ]),
    )
    .map(([authorization, key, device]) => ({ ...authorization, ...key, ...device }));
}
