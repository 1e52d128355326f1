import type { ImportColumn } from '#contract/catalogue/imports/constants';
import type { z } from '#contract/platform/http/zod';
import { msg } from '#contract/platform/text/constants/texts';
import { AppError, fieldErrors, type Sentence } from '../../platform/http/errors.ts';

// What is wrong with a product of a file, by the cell that it is about.

/** What is wrong, in which row of the product. */
export class Refusal extends Error {
  readonly place: number;
  readonly column: ImportColumn | undefined;
  readonly sentence: Sentence;

  constructor(place: number, column: ImportColumn | undefined, sentence: Sentence) {
    super();
    this.place = place;
    this.column = column;
    this.sentence = sentence;
  }
}

const COLUMN_OF: Record<string, ImportColumn> = {
  ...{ quantityAvailable: 'stock', isOrganic: 'organic', isActive: 'active', images: 'image' },
  ...{ label: 'size', content: 'content', _id: 'sizeId' },
};
const OWN: readonly string[] = [
  ...['name', 'description', 'category', 'unit', 'price', 'availability', 'step', 'minimum', 'sku'],
  ...['harvestDate', 'availableUntil', 'allergens'],
];

/** Says which cell a problem of the contract is about; `places` are the rows of its sizes. */
function refusalAt(
  path: readonly string[],
  sentence: Sentence,
  places: readonly number[],
): Refusal {
  const [field = '', index, ofSize] = path;
  const name = field === 'sizes' ? (ofSize ?? 'label') : field;
  const column = COLUMN_OF[name] ?? (OWN.includes(name) ? (name as ImportColumn) : undefined);
  return new Refusal(field === 'sizes' ? (places[Number(index)] ?? 0) : 0, column, sentence);
}

/** Checks an input by the contract's schema, whose sentences are those of the form. */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  places: readonly number[],
) {
  const result = schema.safeParse(input, {
    error: fieldErrors(msg('This row is not of the expected form.')),
  });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refusalAt((issue?.path ?? []).map(String), issue?.message ?? '', places);
}

/** Checks what only the command knows. */
export function checked(work: () => unknown, places: readonly number[]): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [problem] = error.errors ?? [];
    throw refusalAt(problem?.path.split('.') ?? [], problem?.message ?? error.sentence, places);
  }
}
