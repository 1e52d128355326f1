/** A failure that the user can fix: its message is printed without a stack. */
export class UserError extends Error {}

/** Prints a line of progress. */
export function print(line) {
  process.stdout.write(`${line}\n`);
}
