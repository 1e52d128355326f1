import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** How often everything is measured, in turns; the median counts. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** The middle value. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that this part (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1));
  return sorted[index] ?? Number.NaN;
}

/** A number as people read it. */
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

export type Row = Record<string, string | number | boolean>;

/**
 * Prints the figures as a table and writes them to `bench/results/<name>.json`. `goals` are what the
 * figures are held against, each told with whether it was reached.
 */
export function report(name: string, rows: Row[], goals: Record<string, boolean> = {}): void {
  console.log(`\n${name}: medians of ${ROUNDS}, ${cpus().length} cores, Node ${process.version}`);
  console.table(rows);
  for (const [goal, isReached] of Object.entries(goals)) {
    console.log(`${isReached ? 'reached' : 'MISSED '}  ${goal}`);
  }
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(
    `bench/results/${name}.json`,
    `${JSON.stringify({ name, at: new Date().toISOString(), node: process.version, cores: cpus().length, rounds: ROUNDS, rows, goals }, null, 2)}\n`,
  );
}

/**
 * Measures several subjects in turns, so that whatever slows the machine slows all of them. One turn
 * before the others does not count: in a program's first seconds its compiler is what is measured.
 * @returns for each subject the values of all rounds
 */
export async function inTurns<Subject extends string, Value>(
  subjects: Record<Subject, () => Promise<Value>>,
): Promise<Record<Subject, Value[]>> {
  const names = Object.keys(subjects) as Subject[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<
    Subject,
    Value[]
  >;
  for (let turn = -1; turn < ROUNDS; turn++) {
    for (const name of names) {
      const value = await subjects[name]();
      if (turn >= 0) values[name].push(value);
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return values;
}
