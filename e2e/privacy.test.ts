import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../prisma/client.ts';
import { until } from '../testing/until.ts';
import { type Stack, startStack } from './stack.ts';

// Servers and workers log at trace level while personal data passes through every path; no log line may
// contain it.

let stack: Stack;
let mail: SMTPServer;
/** Recipients that the mail server refused; like real servers it names them in its response. */
const refused: string[] = [];

beforeAll(async () => {
  mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => {
      refused.push(address);
      done(new Error(`<${address}>: nobody of this name lives here`));
    },
  });
  mail.on('error', () => {});
  await once(mail.listen(0, '127.0.0.1'), 'listening');
  const { port } = mail.server.address() as AddressInfo;
  stack = await startStack({
    seed: false,
    env: {
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      UNREAD_EMAIL_AFTER_SECONDS: '0',
    },
  });
});
afterAll(async () => {
  await stack?.close();
  await new Promise<void>((resolve) => mail.close(resolve));
});

const SECRETS = {
  password: 'quincewood-password',
  name: 'Zebedee Quincewood',
  farmer: 'Thaddea Medlarfield',
  phone: '555-0177-3141',
  street: '17 Quincewood Lane',
  city: 'Medlarbury',
  notes: 'Leave it below the quincewood bench',
  message: 'Are the medlars bletted yet?',
  reason: 'The medlars were eaten by wasps',
  emails: 'quincewood.test',
};

async function call(method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(`${stack.url}/api${path}`, {
    method,
    headers: {
      'user-agent': 'quincewood-browser',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

it('logs no personal data and no secret', async () => {
  const address = { street: SECRETS.street, city: SECRETS.city, state: 'VT', zipCode: '05001' };
  const join = async (role: string, name: string) => {
    const email = `${role}@${SECRETS.emails}`;
    const { password, phone } = SECRETS;
    const account = { name, email, password, role, phone, address };
    const { status, body } = await call('POST', '/auth/register', account);
    expect(status).toBe(201);
    expect((await call('POST', '/auth/register', account)).status).toBe(409);
    return { id: body.user._id, token: body.token, email };
  };
  const consumer = await join('consumer', SECRETS.name);
  const farmer = await join('farmer', SECRETS.farmer);
  const credentials = { email: consumer.email, password: SECRETS.password };
  expect((await call('POST', '/auth/login', credentials)).status).toBe(200);
  expect((await call('POST', '/auth/login', { ...credentials, password: 'x' })).status).toBe(401);
  expect((await call('POST', '/auth/login', `{"email":"${consumer.email}",`)).status).toBe(400);
  await call('GET', `/products?search=${encodeURIComponent(SECRETS.name)}`);
  await call('GET', `/nowhere/${encodeURIComponent(consumer.email)}`);
  await call('GET', '/auth/me', undefined, `${consumer.token}x`);

  const product = await call(
    'POST',
    '/products',
    {
      name: 'Medlars',
      description: 'Soft.',
      category: await createCategory(),
      price: 2.5,
      unit: 'lb',
      quantityAvailable: 5,
    },
    farmer.token,
  );
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const order = await call(
    'POST',
    '/orders',
    {
      farmer: farmer.id,
      items: [{ product: product.body.data._id, quantity: 1 }],
      notes: SECRETS.notes,
      pickupDetails: { date, time: '10:00', location: SECRETS.street },
    },
    consumer.token,
  );
  expect(order.status).toBe(201);
  const rejection = { status: 'rejected', reason: SECRETS.reason };
  await call('PUT', `/orders/${order.body.data._id}`, rejection, farmer.token);
  const message = { receiver: farmer.id, content: SECRETS.message };
  expect((await call('POST', '/messages', message, consumer.token)).status).toBe(201);
  const resetRequest = { email: consumer.email };
  expect((await call('POST', '/auth/forgot-password', resetRequest)).status).toBe(200);
  const reset = { token: 'quincewood-reset-token', password: SECRETS.password };
  expect((await call('POST', '/auth/reset-password', reset)).status).toBe(400);
  for (const token of [consumer.token, `${consumer.token}x`]) {
    const socket = io(stack.url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    await new Promise((resolve) => {
      socket.once('synced', resolve);
      socket.once('connect_error', resolve);
    });
    socket.disconnect();
  }

  // The worker offered both mails, was refused, and logged it.
  const [server, worker] = [stack.servers[0], stack.workers[0]];
  await until(
    'the worker to be refused mails to both',
    () =>
      refused.includes(consumer.email) &&
      refused.includes(farmer.email) &&
      /refuses an address permanently/.test(worker?.output() ?? ''),
  );
  const lines = `${server?.output()}${worker?.output()}`;
  expect(lines).toContain('nobody of this name lives here');
  expect(lines).toContain('/auth/register');
  for (const [what, secret] of Object.entries(SECRETS)) {
    expect(lines.includes(secret), what).toBe(false);
  }
  expect(lines).not.toMatch(/quincewood|medlarfield|medlarbury|eyJ/i);
});

/** Creates a category in the database. */
async function createCategory(): Promise<string> {
  const { db, close } = openDatabase({ connectionString: stack.databaseUrl, poolSize: 2 });
  const { id } = await db.category.create({ data: { name: 'Fruit', nameKey: 'fruit' } });
  await close();
  return id;
}
