import { randomUUID } from 'node:crypto';
import Koa, { type Context } from 'koa';
import pg from 'pg';

/**
 * Floor of an order: Koa writes the same rows with node-postgres, without validation, session, event, timeline,
 * idempotency and notification.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

interface Order {
  consumer: string;
  farmer: string;
  items: { product: string; quantity: number }[];
}

async function read(ctx: Context): Promise<Order> {
  const parts: Buffer[] = [];
  for await (const part of ctx.req) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method !== 'POST') {
    ctx.body = 'ready';
    return;
  }
  const { consumer, farmer, items } = await read(ctx);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const bought: {
      product: string;
      quantity: number;
      name: string;
      unit: string;
      price: number;
    }[] = [];
    for (const { product, quantity } of [...items].sort((a, b) =>
      a.product < b.product ? -1 : 1,
    )) {
      const { rows } = await client.query({
        name: 'take',
        text: `UPDATE products SET stock_milli = stock_milli - $2 * 1000, version = version + 1
               WHERE id = $1 AND stock_milli >= $2 * 1000 RETURNING name, unit, price_minor AS price`,
        values: [product, quantity],
      });
      bought.push({ product, quantity, ...rows[0] });
    }
    const id = randomUUID();
    await client.query({
      name: 'order',
      text: `INSERT INTO orders (id, consumer_id, farmer_id, total_minor, is_pickup, date, time, pickup_location)
             VALUES ($1, $2, $3, $4, true, current_date + 1, '10:00', 'Farm gate')`,
      values: [
        id,
        consumer,
        farmer,
        bought.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
      ],
    });
    await client.query({
      name: 'lines',
      text: `INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli)
             SELECT $1, * FROM unnest($2::int[], $3::uuid[], $4::text[], $5::"Unit"[], $6::int[], $7::int[])`,
      values: [
        id,
        bought.map((_, index) => index),
        bought.map(({ product }) => product),
        bought.map(({ name }) => name),
        bought.map(({ unit }) => unit),
        bought.map(({ price }) => price),
        bought.map(({ quantity }) => quantity * 1000),
      ],
    });
    await client.query('COMMIT');
    ctx.status = 201;
    ctx.body = { success: true, data: { _id: id } };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});
app.listen(Number(process.env.PORT), '127.0.0.1');
