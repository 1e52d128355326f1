import { randomUUID } from 'node:crypto';
import { createProducts, createSlots, createUsers, withDatabase } from '../e2e/fill.ts';
import { startStack } from '../e2e/stack.ts';
import { call } from './call.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, median, type Row, report, round } from './report.ts';

/**
 * Measures orders of two lines by 20 clients, spread over 20 farms and all with one farm, each also in a pickup slot
 * and of goods that are sold in sizes, and the cancelling of those in slots. The floor is a bare Koa route that writes
 * the same rows; Farmgate runs completely, workers included.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const CLIENTS = 20;

const stack = await startStack({ seed: false, workers: 1 });
const farmers = await createUsers(stack.databaseUrl, 'farmer', CLIENTS);
const consumers = await createUsers(stack.databaseUrl, 'consumer', CLIENTS);
const products = await createProducts(stack.databaseUrl, farmers, 2);
const inSizes = await createProducts(stack.databaseUrl, farmers, 2);
const SIZES = [1, 2, 5].map((content) => ({
  ...{ id: randomUUID(), label: `${content} kg`, contentMilli: content * 1000, priceMinor: 250 },
  ...{ sku: null, isActive: true, minimum: null },
}));
await withDatabase(stack.databaseUrl, (client) =>
  client.query(
    'UPDATE products SET sizes = $2, step_milli = 1, minimum_milli = 1000, price_minor = 250 WHERE id = ANY ($1)',
    [inSizes.map(({ id }) => id), JSON.stringify(SIZES)],
  ),
);
/** One slot of each farm; the farms' places have no hours, so that other orders need none. */
const slots = await createSlots(stack.databaseUrl, farmers);
const floor = await startFloor('koa-orders', { DATABASE_URL: stack.databaseUrl });
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** The orders in slots that each client has placed and not cancelled yet. */
const inSlots: string[][] = consumers.map(() => []);

/** Returns orders per second of 20 clients, each placing one after the other. */
async function perSecond(
  url: string,
  isSpread: boolean,
  { isInSlot = false, isOfSizes = false } = {},
): Promise<number> {
  let placed = 0;
  const endAt = performance.now() + SECONDS * 1000;
  await Promise.all(
    consumers.map(async (consumer, index) => {
      const farmer = farmers[isSpread ? index : 0]?.id;
      const body = {
        farmer,
        consumer: consumer.id,
        items: (isOfSizes ? inSizes : products)
          .filter((product) => product.farmer === farmer)
          .map(({ id }, line) => ({
            product: id,
            ...(isOfSizes ? { size: SIZES[line]?.id } : {}),
            quantity: 1,
          })),
        pickupDetails: isInSlot
          ? { slotId: slots[isSpread ? index : 0] }
          : { date: tomorrow, time: '10:00', location: 'Farm gate' },
      };
      while (performance.now() < endAt) {
        const answer = await call('POST', url, body, consumer.token, {
          'idempotency-key': randomUUID(),
        });
        if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.body}`);
        if (isInSlot) inSlots[index]?.push(JSON.parse(answer.body).data._id);
        placed++;
      }
    }),
  );
  return placed / SECONDS;
}

/** Returns how many orders in slots a second 20 clients cancel, each its own one after the other. */
async function cancelledPerSecond(): Promise<number> {
  const count = inSlots.flat().length;
  const startedAt = performance.now();
  await Promise.all(
    consumers.map(async ({ token }, index) => {
      for (const id of inSlots[index]?.splice(0) ?? []) {
        const url = `${stack.url}/api/orders/${id}`;
        const answer = await call('PUT', url, { status: 'cancelled' }, token);
        if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
      }
    }),
  );
  return (count * 1000) / (performance.now() - startedAt);
}

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
for (const isSpread of [true, false]) {
  const measured = await measureInterleaved({
    farmgate: () => perSecond(`${stack.url}/api/orders`, isSpread),
    inSlot: () => perSecond(`${stack.url}/api/orders`, isSpread, { isInSlot: true }),
    ofSizes: () => perSecond(`${stack.url}/api/orders`, isSpread, { isOfSizes: true }),
    cancelled: cancelledPerSecond,
    floor: () => perSecond(floor.url, isSpread),
  });
  const share = median(measured.farmgate.map((value, turn) => value / (measured.floor[turn] ?? 1)));
  const slotCost = median(
    measured.farmgate.map((value, turn) => value / (measured.inSlot[turn] ?? 1)),
  );
  const sizesCost = median(
    measured.farmgate.map((value, turn) => value / (measured.ofSizes[turn] ?? 1)),
  );
  const name = isSpread ? 'spread over 20 farms' : 'all with one farm';
  rows.push({
    orders: name,
    'farmgate/s': round(median(measured.farmgate), 0),
    'koa + same sql/s': round(median(measured.floor), 0),
    'of floor': round(share),
    'in a slot/s': round(median(measured.inSlot), 0),
    'a slot costs': round(slotCost),
    'of sizes/s': round(median(measured.ofSizes), 0),
    'sizes cost': round(sizesCost),
    'cancelled/s': round(median(measured.cancelled), 0),
  });
  goals[`${name}: at least 0.45 of the floor`] = share >= 0.45;
  goals[`${name}: a slot costs at most 1.15 times`] = slotCost <= 1.15;
  goals[`${name}: sizes cost at most 1.1 times`] = sizesCost <= 1.1;
}
report('orders', rows, goals);
await floor.close();
await stack.close();
process.exit(0);
