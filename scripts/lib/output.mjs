/** A failure that a person can act on: its message is printed as it is, without a stack. */
export class Refusal extends Error {}

/** Prints one step of what a command is doing. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}
