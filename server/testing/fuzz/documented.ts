import { z } from 'zod';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { openApiPath } from '../../edge/docs/openapi.ts';

interface Response {
  content?: Record<string, { schema: unknown }>;
}

/** An OpenAPI document as served. */
export interface DocumentedApi {
  paths: Record<string, Record<string, { responses: Record<string, Response> } | undefined>>;
  components: { schemas: Record<string, unknown> };
}

/** Converts a schema of the document to a zod schema, with its references resolved. */
function checkOf(document: DocumentedApi, schema: unknown): z.ZodType {
  const whole = { ...(schema as object), $defs: document.components.schemas };
  return z.fromJSONSchema(
    JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')),
  );
}

/** Returns the body of an answer as its type says: an export is text. */
export const bodyOf = (text: string, contentType: string | null | undefined): unknown =>
  contentType?.includes('json') ? JSON.parse(text) : text;

/**
 * Creates a function that throws when an answer's status or body does not match the document.
 */
export function createDocumentCheck(document: DocumentedApi) {
  const checks = new Map<unknown, z.ZodType>();
  return (
    endpoint: Pick<Endpoint, 'method' | 'path'>,
    answer: { status: number; body: unknown },
  ): void => {
    const name = `${endpoint.method} ${endpoint.path}`;
    const operation = document.paths[openApiPath(endpoint)]?.[endpoint.method.toLowerCase()];
    const response = operation?.responses[answer.status];
    if (!response) throw new Error(`${name} answered ${answer.status}, which is not documented.`);
    const schema = response.content?.['application/json']?.schema;
    const check = checks.get(schema) ?? checkOf(document, schema);
    checks.set(schema, check);
    const result = check.safeParse(answer.body);
    if (result.success) return;
    throw new Error(
      `${name} answered ${answer.status} in another form than documented: ${z.prettifyError(result.error)}`,
    );
  };
}
