import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { importsApi } from '#contract/catalogue/imports/constants';
import { DEVICE_HEADER } from '#contract/people/auth/constants';
import { IDEMPOTENCY_HOURS, ROLES } from '#contract/platform/http/constants';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { Failure } from '#contract/platform/http/http';
import { UPLOAD_FILES_MAX } from '#contract/platform/uploads/constants';

export type OpenApiDocument = ReturnType<typeof describeApi>;

const MEANINGS: Record<number, string> = {
  400: 'The input is malformed or breaks a rule; errors name the fields.',
  401: 'No token, or one that is wrong, expired or revoked.',
  403: 'Signed in, but not allowed.',
  404: 'Unknown, or not for this person to know of.',
  408: 'The body came too slowly.',
  409: 'Against the present state of things; the code says which.',
  413: 'More than is taken at once.',
  415: 'Not a kind of content that is taken.',
  429: 'Too often.',
  503: 'A store is away for the moment.',
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
};

const takes = (schema: Endpoint['params']): boolean =>
  Object.keys((schema as { shape?: object }).shape ?? { other: true }).length > 0;

/** Every status a call may refuse with: what it says itself and what follows from its form. */
export function failuresOf(endpoint: Endpoint): number[] {
  const { access, method } = endpoint;
  const readsBody = method !== 'GET';
  const found = new Set<number>([503, ...endpoint.failures]);
  if (typeof access !== 'string') found.add(401);
  const isForSome = typeof access !== 'string' && access.length < ROLES.length;
  if (isForSome || endpoint.farmPermission) found.add(403);
  if (readsBody || takes(endpoint.query)) found.add(400);
  if (readsBody) found.add(413).add(415);
  if (takes(endpoint.params)) found.add(404);
  if (endpoint.isRepeatable) found.add(409);
  if (endpoint.rate) found.add(429);
  return [...found].sort((one, other) => one - other);
}

/** The path as OpenAPI writes it. */
export const openApiPath = (endpoint: Pick<Endpoint, 'path'>): string =>
  endpoint.path.replace(/:(\w+)/g, '{$1}');

/** Which part of the market a call belongs to. */
const tagOf = ({ path }: Endpoint): string =>
  path.startsWith('/users/farmers') ? 'farmers' : (path.split('/')[1] ?? '');

/** The OpenAPI 3.1 document of these endpoints. */
export function describeApi(endpoints: readonly Endpoint[], publicUrl: string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const path = openApiPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint) };
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Farmgate',
        version: '1.0.0',
        description:
          'The REST API of the market. Bodies are JSON; ids are UUIDs; times are ISO 8601 in UTC; ' +
          'money is a number with as many decimals as the currency of the market has. Lists answer a nextCursor, null at the end.',
      },
      servers: [{ url: `${publicUrl}/api` }],
      tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
      paths,
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    { override: simplify },
  );
}

function describe(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { method, access, params, query } = endpoint;
  return {
    operationId: `${method.toLowerCase()}${endpoint.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: endpoint.summary,
    description: whoMay(access),
    tags: [tagOf(endpoint)],
    security:
      access === 'public' ? [] : access === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    requestParams: {
      ...(takes(params) ? { path: params as never } : {}),
      ...(takes(query) ? { query: query as never } : {}),
    },
    ...describeHeaders(endpoint),
    ...describeBody(endpoint),
    responses: {
      [endpoint.status]: {
        description: 'Done.',
        content: {
          [endpoint.path.endsWith('.csv') ? 'text/csv' : 'application/json']: {
            schema: endpoint.answer,
          },
        },
      },
      ...Object.fromEntries(failuresOf(endpoint).map((status) => [status, refusal(status)])),
    } as ZodOpenApiResponsesObject,
  };
}

const whoMay = (access: Endpoint['access']): string => {
  if (access === 'public') return 'For everyone.';
  if (access === 'optional')
    return 'For everyone; signed in, one may see more. A token that no longer counts is as good as none.';
  return access.length === ROLES.length ? 'For everyone signed in.' : `For: ${access.join(', ')}.`;
};

const IDEMPOTENCY_KEY = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  description:
    `A name for this request, best a random UUID. Sent again under it within ${IDEMPOTENCY_HOURS} hours, it takes ` +
    'effect once and is answered as the first time; another request under it is a 409. A refusal leaves ' +
    'the name unused. Events that the request causes carry a UUID as their commandId.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 200 },
};

const DEVICE_ID = {
  in: 'header' as const,
  name: DEVICE_HEADER,
  description:
    'A random UUID that the client generates once and keeps. Failed sign-ins of others do not lock out a device that has signed in to the account before. Anything but a UUID is ignored.',
  schema: { type: 'string' as const, format: 'uuid' },
};

/** Returns the header parameters of a call, if it has any. */
function describeHeaders({ isRepeatable, readsDeviceId }: Endpoint) {
  const parameters = [
    ...(isRepeatable ? [IDEMPOTENCY_KEY] : []),
    ...(readsDeviceId ? [DEVICE_ID] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function describeBody({ method, path, multipart, body }: Endpoint) {
  if (multipart && path === importsApi.upload.path) {
    const file = { type: 'string' as const, format: 'binary' };
    const schema = { type: 'object' as const, properties: { file }, required: ['file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (multipart) {
    const schema = {
      type: 'object' as const,
      properties: {
        images: {
          type: 'array' as const,
          items: { type: 'string' as const, format: 'binary' },
          minItems: 1,
          maxItems: UPLOAD_FILES_MAX,
        },
      },
      required: ['images'],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (method === 'GET' || !takes(body)) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: body } } } };
}

const refusal = (status: number) => ({
  description: MEANINGS[status] ?? 'Refused.',
  ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
  content: { 'application/json': { schema: Failure } },
});

/**
 * The schemas within these that have a name of their own, which they get where they are defined
 * (`.meta({ id })`). The documents describe them once and refer to them everywhere else.
 */
export function namedWithin(schemas: Iterable<z.ZodType>): Map<string, z.ZodType> {
  const found = new Map<string, z.ZodType>();
  for (const schema of schemas) {
    z.toJSONSchema(schema, {
      override: ({ zodSchema }) => {
        const { id } = z.globalRegistry.get(zodSchema) ?? {};
        if (id) found.set(id, zodSchema as unknown as z.ZodType);
      },
    });
  }
  return found;
}

interface Simplified {
  format?: string | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

/** Takes out what a format says already, and the bounds that every JSON number has. */
export function simplify({ jsonSchema }: { jsonSchema: Simplified }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
