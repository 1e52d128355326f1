import { expect, it } from 'vitest';
import { AT_ONCE, keepAwake } from '../server/testing/awake.ts';
import {
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../server/testing/market.ts';
import { until } from '../testing/until.ts';
import { openMailbox } from './testing/mailbox.ts';
import { startWorkerProcess } from './testing/process.ts';

it("uses one request id in the response, the event, the job and the worker's log", async () => {
  const mailbox = await openMailbox();
  const market = await startTestMarket();
  await keepAwake(market.platform, AT_ONCE);
  const worker = await startWorkerProcess(market.env, {
    SMTP_URL: mailbox.url,
    UNREAD_EMAIL_AFTER_SECONDS: '1',
  });
  let printed = '';
  worker.program.stdout?.on('data', (text: Buffer) => {
    printed += text.toString();
  });
  try {
    const farmer = await market.join('farmer');
    const consumer = await market.join('consumer');
    const category = await makeCategory(market.platform);
    const product = await market.post('/products', farmer, productInput(category));
    const response = await fetch(`${market.url}/api/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${consumer.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(
        orderInput(farmer.id, [{ product: product.body.data._id, quantity: 1 }]),
      ),
    });
    expect(response.status).toBe(201);
    const requestId = response.headers.get('x-request-id') ?? '';
    expect(requestId).not.toBe('');
    const events = await market.platform.db.eventLog.findMany({ where: { requestId } });
    expect(events.map(({ name }) => name)).toContain('order.created');
    const line = await until(() =>
      printed
        .split('\n')
        .find((each) => each.includes(requestId) && each.includes('Job completed')),
    );
    expect(JSON.parse(String(line))).toMatchObject({
      requestId,
      queue: 'email',
      kind: 'order.placed',
    });
  } finally {
    await worker.kill('SIGTERM');
    await market.close();
    await mailbox.close();
  }
});
