import { percentile, type Row, round } from './report.ts';

/**
 * A gateway process dies and its people come back to those that are left. Each comes after a random
 * wait, is served in the order of arrival by as many catch-ups at once as there are processes, and
 * after 8 s without being whole gives up and tries again later, as the client does
 * (web/realtime/socket.ts). `COST` is what one catch-up takes of a process: measured by
 * `npm run bench -- catch-up` (1,000 people whole after 2.4 s on one process).
 */
const COST = Number(process.env.CATCH_UP_MS ?? 2.4);
const PATIENCE = 8_000;
const WAITS = { first: 300, longest: 8_000 };

interface Coming {
  at: number;
  failures: number;
}

function simulate(people: number, processes: number, cost: number) {
  const wait = (failures: number) =>
    Math.min(WAITS.first * 2 ** failures, WAITS.longest) * (0.5 + Math.random() / 2);
  const coming: Coming[] = Array.from({ length: people }, () => ({ at: wait(0), failures: 0 }));
  const whole: number[] = [];
  let retries = 0;
  const free = Array.from({ length: processes }, () => 0);
  while (coming.length > 0) {
    coming.sort((a, b) => a.at - b.at);
    // All who come until somebody gives up and comes again are served in this order.
    const batch = coming.splice(0);
    for (const { at, failures } of batch) {
      const next = free.indexOf(Math.min(...free));
      const begins = Math.max(at, free[next] ?? 0);
      if (begins + cost > at + PATIENCE) {
        // Gone before its turn: the process notices at once and spends nothing on it.
        retries++;
        coming.push({ at: at + PATIENCE + wait(failures + 1), failures: failures + 1 });
        continue;
      }
      free[next] = begins + cost;
      whole.push(begins + cost);
    }
  }
  return { whole, retries };
}

const rows: Row[] = [];
for (const [people, processes] of [
  [1_000, 1],
  [5_000, 1],
  [5_000, 4],
  [20_000, 4],
  [20_000, 99],
  [100_000, 49],
] as const) {
  const { whole, retries } = simulate(people, processes, COST);
  rows.push({
    'people of the dead process': people,
    'processes left': processes,
    'half are whole after s': round(percentile(whole, 0.5) / 1000, 1),
    'all are whole after s': round(percentile(whole, 1) / 1000, 1),
    'tries in vain': retries,
  });
}
console.table(rows);
