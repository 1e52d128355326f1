import escapeHtml from 'escape-html';

/** Markup that is safe to put into other markup. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | undefined | readonly (Html | undefined)[];

const toText = (part: Part): string => {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(toText).join('');
  return escapeHtml(String(part));
};

/** Markup from a template; every text put into it is escaped, other markup is not. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(toText)));

/** As much of a JSON schema as our contracts use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

/** The anchor of a shape described on the same page. */
export const shapeAnchor = (name: string): string => `shape-${name.replace(/\W/g, '-')}`;

const join = (parts: readonly Html[]): Html[] =>
  parts.map((part, index) => (index === 0 ? part : html` or ${part}`));

/** What a value is, in a few words; shapes with a name of their own are linked. */
export function describeType(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#${shapeAnchor(name)}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) {
    return html`${join(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))}`;
  }
  if (schema.anyOf) return html`${join(schema.anyOf.map(describeType))}`;
  if (schema.items) return html`list of ${describeType(schema.items)}`;
  if (schema.propertyNames && typeof schema.additionalProperties === 'object') {
    return html`map from ${describeType(schema.propertyNames)} to ${describeType(schema.additionalProperties)}`;
  }
  const type = [schema.type ?? 'anything'].flat().join(' or ');
  return schema.format ? html`${type} (${schema.format})` : html`${type}`;
}

function describeLimits(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, pattern } = schema;
  const length = range(schema.minLength, schema.maxLength);
  const items = range(schema.minItems, schema.maxItems);
  return [
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    range(minimum, maximum),
    length && `${length} characters`,
    items && `${items} entries`,
    pattern && `matches ${pattern}`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const range = (least?: number, most?: number): string => {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
};

/** The fields behind a schema, looking through lists. */
const fieldsOf = (schema: Schema): Schema | undefined => {
  if (schema.properties) return schema;
  if (schema.items) return fieldsOf(schema.items);
  return schema.anyOf?.map(fieldsOf).find((found) => found !== undefined);
};

/** The fields of an object, each with what it is, its limits, and the fields within it. */
export function renderShape(schema: Schema): Html {
  const fields = fieldsOf(schema);
  if (!fields?.properties) return html`<p class="shape">${describeType(schema)}</p>`;
  const required = new Set(fields.required);
  return html`<ul class="shape">${Object.entries(fields.properties).map(
    ([name, field]) => html`
      <li>
        <code class="field">${name}</code>
        <span class="type">${describeType(field)}</span>
        ${required.has(name) ? undefined : html`<span class="note">optional</span>`}
        <span class="note">${describeLimits(field)}</span>
        ${fieldsOf(field) ? renderShape(field) : undefined}
      </li>`,
  )}</ul>`;
}
