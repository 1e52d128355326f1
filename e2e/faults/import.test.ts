import { afterAll, beforeAll, expect, it } from 'vitest';
import { scaled, until } from '../../testing/until.ts';
import { importUnderOrders } from '../import-under-orders.ts';
import { type Stack, startStack } from '../stack.ts';
import { formatSeconds, maxMs, printFigure, sized } from './helpers.ts';

const ROWS = sized(300, 2000);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 1 });
});
afterAll(() => stack?.close());

it('writes each product of a file once while orders come in and programs are killed', async () => {
  const { found, lost, previewMs, applyMs, ordersMs } = await importUnderOrders(stack, ROWS, {
    disturb: async (read) => {
      const port = Number(new URL(stack.url).port);
      const isBegun = async () => (await read())?.done > 0;
      await until('a part to be written', isBegun, scaled(60_000));
      await stack.workers[0]?.end('SIGKILL');
      await stack.startWorkers();
      await stack.servers[0]?.end('SIGKILL');
      await stack.startServer(port);
    },
  });
  expect(lost).toBe(0);
  expect(found.done).toBe(found.total);
  expect(found.rows.filter(({ result }) => result !== 'written')).toEqual([]);
  expect(found.rows).toHaveLength(ROWS);
  printFigure('import, preview', formatSeconds(previewMs));
  printFigure('import, written with both killed', formatSeconds(applyMs));
  printFigure('import, longest order', formatSeconds(Math.max(...ordersMs)));
  expect(previewMs).toBeLessThan(maxMs(5000));
});
