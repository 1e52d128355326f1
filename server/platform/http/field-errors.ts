import type { z } from '#contract/platform/http/zod';

// What is said of a field where the contract has no sentence of its own for the mistake: of what only a program
// sends, not a form.

const either = new Intl.ListFormat('en', { type: 'disjunction' });

const TYPES: Record<string, string> = {
  number: 'must be a number',
  int: 'must be a whole number',
  string: 'must be a text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns what is wrong with a field, to be read behind its name. */
function wrongWith(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return TYPES[issue.expected] ?? 'is not of the expected form';
    case 'invalid_value':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${either.format(issue.values.map(String))}`;
    case 'too_big':
      return `must ${amountOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (issue.origin in UNITS && issue.minimum === 1) return 'must not be empty';
      return issue.inclusive === false
        ? `must be above ${issue.minimum}`
        : `must ${amountOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be an id' : 'is not of the expected form';
    default:
      return 'is not of the expected form';
  }
}

const UNITS: Record<string, string> = { string: ' characters', array: ' entries' };
const unitOf = (origin: string): string => UNITS[origin] ?? '';
const amountOf = (origin: string): string => (origin in UNITS ? 'have' : 'be');

/**
 * Returns the words for what the contract has no sentence of its own for: "The field crates must be a whole number."
 * instead of "Invalid input: expected int, received number".
 * @param whole the message for a mistake in no single field
 */
export const fieldErrors =
  (whole: string): z.core.$ZodErrorMap =>
  (issue) => {
    const field = (issue.path ?? []).join('.');
    return field === '' ? whole : `The field ${field} ${wrongWith(issue)}.`;
  };
