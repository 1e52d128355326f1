import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The number of measured rounds; results are medians over the rounds. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** Returns the median. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value that `part` (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1));
  return sorted[index] ?? Number.NaN;
}

/** Rounds a number for display. */
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

export type Row = Record<string, string | number | boolean>;

/**
 * Prints the results as a table and writes them to `bench/out/<name>.json`. `goals` maps each aim to whether it
 * was reached.
 */
export function report(name: string, rows: Row[], goals: Record<string, boolean> = {}): void {
  console.log(`\n${name}: medians of ${ROUNDS}, ${cpus().length} cores, Node ${process.version}`);
  console.table(rows);
  for (const [goal, isReached] of Object.entries(goals)) {
    console.log(`${isReached ? 'reached' : 'MISSED '}  ${goal}`);
  }
  mkdirSync('bench/out', { recursive: true });
  writeFileSync(
    `bench/out/${name}.json`,
    `${JSON.stringify({ name, at: new Date().toISOString(), node: process.version, cores: cpus().length, rounds: ROUNDS, rows, goals }, null, 2)}\n`,
  );
}

/**
 * Measures several subjects in interleaved rounds, so that other load on the machine affects all of them. A
 * warm-up round does not count, because a program is still being compiled then.
 * @returns for each subject the values of all rounds
 */
export async function measureInterleaved<Subject extends string, Value>(
  subjects: Record<Subject, () => Promise<Value>>,
): Promise<Record<Subject, Value[]>> {
  const names = Object.keys(subjects) as Subject[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<
    Subject,
    Value[]
  >;
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) {
      const value = await subjects[name]();
      if (round >= 0) values[name].push(value);
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return values;
}
