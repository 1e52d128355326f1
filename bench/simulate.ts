import { percentile, type Row, round } from './report.ts';

/**
 * Simulates clients that reconnect to the remaining processes after a gateway process exits. Each client waits a random
 * time and is served in order of arrival, one catch-up per process at a time. After 8 s it times out and retries later,
 * as in web/platform/realtime/socket.ts. `npm run bench -- catch-up` measures the duration of a catch-up (1,000 clients
 * in 2.4 s on one process).
 */
const CATCH_UP_MS = Number(process.env.CATCH_UP_MS ?? 2.4);
const CLIENT_TIMEOUT_MS = 8_000;
const RETRY_DELAY_MS = { first: 300, longest: 8_000 };

interface Attempt {
  at: number;
  failures: number;
}

function simulate(clients: number, processes: number, cost: number) {
  const wait = (failures: number) =>
    Math.min(RETRY_DELAY_MS.first * 2 ** failures, RETRY_DELAY_MS.longest) *
    (0.5 + Math.random() / 2);
  const attempts: Attempt[] = Array.from({ length: clients }, () => ({ at: wait(0), failures: 0 }));
  const finishedAt: number[] = [];
  let retries = 0;
  const free = Array.from({ length: processes }, () => 0);
  while (attempts.length > 0) {
    attempts.sort((a, b) => a.at - b.at);
    // Serve all current attempts in order; timed-out ones are added again.
    const batch = attempts.splice(0);
    for (const { at, failures } of batch) {
      const next = free.indexOf(Math.min(...free));
      const begins = Math.max(at, free[next] ?? 0);
      if (begins + cost > at + CLIENT_TIMEOUT_MS) {
        // The client has disconnected before its turn, which costs the process nothing.
        retries++;
        attempts.push({ at: at + CLIENT_TIMEOUT_MS + wait(failures + 1), failures: failures + 1 });
        continue;
      }
      free[next] = begins + cost;
      finishedAt.push(begins + cost);
    }
  }
  return { finishedAt, retries };
}

const rows: Row[] = [];
for (const [clients, processes] of [
  [1_000, 1],
  [5_000, 1],
  [5_000, 4],
  [20_000, 4],
  [20_000, 99],
  [100_000, 49],
] as const) {
  const { finishedAt, retries } = simulate(clients, processes, CATCH_UP_MS);
  rows.push({
    'clients of the ended process': clients,
    'remaining processes': processes,
    'half up to date after s': round(percentile(finishedAt, 0.5) / 1000, 1),
    'all up to date after s': round(percentile(finishedAt, 1) / 1000, 1),
    'failed attempts': retries,
  });
}
console.table(rows);
