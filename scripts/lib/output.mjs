/** A failure that a person can act on: its message is one clear sentence, printed without a stack. */
export class Refusal extends Error {}

/** Prints one step of what a command is doing. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/**
 * Runs a command's whole work and turns its outcome into an exit code: the number it returns (0 when
 * it returns none), 1 after a `Refusal` (its sentence alone is printed), 1 with the stack otherwise.
 */
export async function run(work) {
  // A reader that went away (`npm start | head`) must not take the servers down half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
