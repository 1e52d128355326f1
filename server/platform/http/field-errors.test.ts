import { expect, it } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { fieldErrors } from './errors.ts';

const Order = z.object({
  crates: z.number().int().min(0).max(99),
  packing: z.enum(['none', 'packing', 'packed']),
  id: z.uuid().optional(),
  names: z.array(z.string().min(2).max(4)).min(1).max(2).default(['Ann']),
  isDone: z.boolean().default(false),
  weight: z.number().positive().default(1),
  day: z.iso.date().optional(),
  own: z.string('Say whose it is.').default('mine'),
});

const right = { crates: 1, packing: 'none' };

it.each<[unknown, string]>([
  [{ packing: 'none' }, 'The field crates is missing.'],
  [{ ...right, crates: '1' }, 'The field crates must be a number.'],
  [{ ...right, crates: 1.5 }, 'The field crates must be a whole number.'],
  [{ ...right, crates: -1 }, 'The field crates must be at least 0.'],
  [{ ...right, crates: 100 }, 'The field crates must be at most 99.'],
  [{ ...right, weight: 0 }, 'The field weight must be above 0.'],
  [{ crates: 1 }, 'The field packing is missing.'],
  [{ ...right, packing: 'done' }, 'The field packing must be none, packing, or packed.'],
  [{ ...right, id: 'mine' }, 'The field id must be an id.'],
  [{ ...right, day: 'today' }, 'The field day is not of the expected form.'],
  [{ ...right, names: 'Ann' }, 'The field names must be a list.'],
  [{ ...right, names: [] }, 'The field names must not be empty.'],
  [{ ...right, names: ['Ann', 'Ben', 'Cy'] }, 'The field names must have at most 2 entries.'],
  [{ ...right, names: ['Ann', 7] }, 'The field names.1 must be a text.'],
  [{ ...right, names: ['A'] }, 'The field names.0 must have at least 2 characters.'],
  [{ ...right, isDone: 'yes' }, 'The field isDone must be true or false.'],
  // The contract's own sentence comes first.
  [{ ...right, own: 1 }, 'Say whose it is.'],
  ['all', 'The body is not right.'],
])('says of %j: %s', (input, sentence) => {
  const result = Order.safeParse(input, { error: fieldErrors({ text: 'The body is not right.' }) });
  expect(result.error?.issues[0]?.message).toBe(sentence);
});
