/** What a quick machine that does nothing else takes for one round of the work below, in milliseconds. */
const REFERENCE_MS = 2.5;
const ROUNDS = 100;
/** Beyond it a machine is not slow but stuck. */
const SLOWNESS_MAX = 6;

const orders = Array.from({ length: 2000 }, (_, at) => ({
  id: `${(at * 7919) % 2000}`,
  lines: [{ name: 'Carrots', quantityMilli: at }],
}));

function work(): void {
  const copies: typeof orders = JSON.parse(JSON.stringify(orders));
  copies.sort((one, other) => one.id.localeCompare(other.id));
}

/**
 * Measures how many times as long as a quick idle machine this one takes, 1 at least. Other programs that keep its
 * cores busy count: they go on beside the tests.
 */
export function measureSlowness(): number {
  for (let round = 0; round < 10; round++) work();
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) work();
  const roundMs = (performance.now() - startedAt) / ROUNDS;
  return Math.min(SLOWNESS_MAX, Math.max(1, roundMs / REFERENCE_MS));
}
