// @long It waits for workers and timers.

import { expect, it } from 'vitest';
import { closeAfter, makeCategory, startTestMarket } from '../server/testing/market.ts';
import { productFile, uploadProducts } from '../server/testing/product-file.ts';
import { until } from '../testing/until.ts';
import { startWorkers } from './start.ts';

const market = closeAfter(await startTestMarket({ DATABASE_POOL_SIZE: '20' }));
await makeCategory(market.platform);

it('a file of products is written while far more is due than a worker gets done', async () => {
  const { db } = market.platform;
  const farmer = await market.join('farmer');
  const rows = Array.from({ length: 250 }, (_, index) => ({
    ...{ name: `Kale ${index}`, description: 'Good.', category: 'Vegetables' },
    ...{ unit: 'kg', price: '2.5', stock: 10 },
  }));
  const { body } = await uploadProducts(market.url, farmer, productFile(rows));
  const path = `/farm/products/imports/${body.data._id}`;
  // What orders ask for, each a while ago.
  await db.$executeRaw`
    INSERT INTO timers (key, kind, due_at)
    SELECT 'farm.resume:' || gen_random_uuid(), 'farm.resume', now() - interval '1 hour'
    FROM generate_series(1, 50000)`;
  await market.post(`${path}/apply`, farmer, {});
  const workers = await startWorkers(market.platform);
  try {
    await until(async () => (await market.get(path, farmer)).body.data.state === 'done');
    const left = await db.timer.count({ where: { kind: 'farm.resume', doneAt: null } });
    expect(left).toBeGreaterThan(0);
  } finally {
    await workers.close();
  }
});
