/** What is read of a JSON Schema: the words that zod writes for what goes over the wire. */
export interface Form {
  $ref?: string;
  $defs?: Readonly<Record<string, Form>>;
  anyOf?: readonly Form[];
  allOf?: readonly Form[];
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  pattern?: string;
  properties?: Readonly<Record<string, Form>>;
  required?: readonly string[];
  additionalProperties?: Form | boolean;
  items?: Form;
}

/**
 * Where `value` is not of this form, as a path such as `items.0.price`; nothing where it is. Fields
 * beyond the form are let through: a newer server may know more than this page.
 */
export function findMisfit(
  value: unknown,
  form: Form,
  defs: Readonly<Record<string, Form>>,
  path = '',
): string | undefined {
  if (form.$ref !== undefined) {
    const shared = defs[form.$ref.slice('#/$defs/'.length)];
    const misfit = shared ? findMisfit(value, shared, defs, path) : here(path);
    if (misfit !== undefined) return misfit;
  }
  if (form.anyOf?.every((part) => findMisfit(value, part, defs, path) !== undefined)) {
    return here(path);
  }
  for (const part of form.allOf ?? []) {
    const misfit = findMisfit(value, part, defs, path);
    if (misfit !== undefined) return misfit;
  }
  const isPlainFit =
    (form.type === undefined || isOfType(value, form.type)) &&
    (form.const === undefined || value === form.const) &&
    (form.enum === undefined || form.enum.includes(value)) &&
    (form.pattern === undefined ||
      typeof value !== 'string' ||
      new RegExp(form.pattern, 'u').test(value));
  return isPlainFit ? findMisfitWithin(value, form, defs, path) : here(path);
}

function findMisfitWithin(
  value: unknown,
  { properties = {}, required = [], additionalProperties, items }: Form,
  defs: Readonly<Record<string, Form>>,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) {
    if (!items) return undefined;
    for (const [index, item] of value.entries()) {
      const misfit = findMisfit(item, items, defs, below(index));
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return below(missing);
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  for (const [key, item] of Object.entries(value)) {
    const form = Object.hasOwn(properties, key) ? properties[key] : others;
    const misfit = form && findMisfit(item, form, defs, below(key));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

const here = (path: string) => path || 'the whole';

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
