import { setTimeout as sleep } from 'node:timers/promises';
import { importUnderOrders } from '../e2e/import-under-orders.ts';
import { startStack } from '../e2e/stack.ts';
import { residentKb } from './memory.ts';
import { report, round } from './report.ts';

/**
 * Measures a file of 2,000 products, half of them new and half with more stock, while 8 customers order those: how long
 * it takes to compare and to write, the longest that an order waits meanwhile, and how much memory it takes at most.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 2000);

const stack = await startStack({ seed: false, workers: 1 });
const programs = [...stack.servers, ...stack.workers];
const readKb = () => programs.map(({ pid }) => residentKb(pid));
let before = readKb();
let most = before;
let isOver = false;
const watching = (async () => {
  while (!isOver) {
    most = readKb().map((kb, index) => Math.max(kb, most[index] ?? 0));
    await sleep(100);
  }
})();
const { previewMs, applyMs, quietMs, ordersMs, lost } = await importUnderOrders(stack, ROWS, {
  // What orders take is none of the file's.
  begins: () => {
    before = readKb();
    most = before;
  },
});
isOver = true;
await watching;
const grownMb = most.map((kb, index) => (kb - (before[index] ?? 0)) / 1024);
const longest = Math.max(...ordersMs);
report(
  'import',
  [
    {
      ...{ rows: ROWS, 'preview ms': round(previewMs, 0), 'apply ms': round(applyMs, 0) },
      ...{ 'orders meanwhile': ordersMs.length, 'longest order ms': round(longest, 0) },
      ...{ 'longest before ms': round(Math.max(...quietMs), 0) },
      ...{
        'server grew MB': round(grownMb[0] ?? 0, 0),
        'worker grew MB': round(grownMb[1] ?? 0, 0),
      },
    },
  ],
  {
    'preview < 5 s': previewMs < 5000,
    'apply < 20 s': applyMs < 20_000,
    'an order waits at most 200 ms longer': longest - Math.max(...quietMs) <= 200,
    'no stock is put back, no sale lost': lost === 0,
  },
);
await stack.close();
