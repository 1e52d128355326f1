import { expect, it } from 'vitest';
import { z } from 'zod';
import { EVENTS } from '#contract/app/registry';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { contractModules } from '../../testing/samples/contract.ts';

/** The objects within a schema, looking through lists, unions and what makes it optional. */
function objectsIn(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  const { element, innerType, options, valueType, out } = schema.def as unknown as {
    element?: z.ZodType;
    innerType?: z.ZodType;
    options?: z.ZodType[];
    valueType?: z.ZodType;
    out?: z.ZodType;
  };
  return [element, innerType, valueType, out, ...(options ?? [])].flatMap((inner) =>
    inner instanceof z.ZodType ? objectsIn(inner) : [],
  );
}

/** The fields in which each object stands, in everything that the server sends. */
function placesOf(schemas: Readonly<Record<string, z.ZodType>>): Map<z.ZodObject, Set<string>> {
  const places = new Map<z.ZodObject, Set<string>>();
  const visit = (schema: z.ZodType, place: string) => {
    if (z.globalRegistry.get(schema)?.id && !(schema instanceof z.ZodObject)) return;
    for (const object of objectsIn(schema)) {
      const known = places.get(object);
      if (known) {
        known.add(place);
        continue;
      }
      places.set(object, new Set([place]));
      for (const [field, inner] of Object.entries(object.shape)) {
        visit(inner as z.ZodType, `${place}.${field}`);
      }
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
  return places;
}

it('every object that the server sends in two places has a name in the documents', async () => {
  const modules = await contractModules();
  const answers = modules.flatMap(({ exports }) =>
    Object.entries(exports)
      .filter(([name]) => name.endsWith('Api'))
      .flatMap(([, api]) => Object.values(api as Record<string, Endpoint>))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint.answer] as const),
  );
  const events = Object.entries(EVENTS).map(([name, { data }]) => [name, data] as const);
  const unnamed = [...placesOf(Object.fromEntries([...answers, ...events]))]
    .filter(([schema, places]) => places.size > 1 && !z.globalRegistry.get(schema)?.id)
    .map(([, places]) => [...places]);
  expect(unnamed).toEqual([]);
});
