import Koa from 'koa';
import pg from 'pg';

/** Floor of a database read: Koa with one prepared statement. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

const LIST = {
  name: 'list',
  text: `SELECT p.id, p.name, p.description, p.price_minor, p.unit, p.stock_milli, p.images,
           p.is_organic, p.harvest_date, p.available_until, p.created_at, p.version,
           c.id AS category_id, c.name AS category_name,
           u.id AS farmer_id, u.name AS farmer_name, u.city, u.state
         FROM products p
         JOIN users u ON u.id = p.farmer_id
         LEFT JOIN categories c ON c.id = p.category_id
         WHERE p.is_active ORDER BY p.created_at DESC, p.id DESC LIMIT $1`,
};
const ONE = {
  ...LIST,
  name: 'one',
  text: LIST.text.replace(/WHERE[^$]*LIMIT \$1/, 'WHERE p.id = $1'),
};

const app = new Koa();
app.use(async (ctx) => {
  const [, kind, value] = ctx.path.split('/');
  if (!kind) {
    ctx.body = 'ready';
    return;
  }
  const { rows } = await pool.query({ ...(kind === 'list' ? LIST : ONE), values: [value] });
  ctx.body = { success: true, data: rows };
});
app.listen(Number(process.env.PORT), '127.0.0.1');
