import { z } from 'zod';

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
