import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pictureOf } from '../open-market.ts';
import { ACCOUNTS, PASSWORD } from '../people.ts';
import { freePort, printOutput, type Stack, startStack } from '../stack.ts';
import { type Opener, startFirefox, startWebKit } from './drivers.ts';
import { button, checkbox, field, link, Screen, ticked } from './screen.ts';

// The main job in the engines of other browsers than Chromium.

const IS_LIVE = `/Up to date|every few seconds/.test(document.body.textContent)`;
const PRODUCT = { selector: 'a[href^="/products/"]' };
const CATEGORY = 'select[name=category]';

const { FIREFOX_PATH = '', WEBKIT_DRIVER_PATH = '', XVFB_PATH = '' } = process.env;

/** A line to the server that can be cut. */
async function startLine(port: number, target: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

let stack: Stack;
let line: Awaited<ReturnType<typeof startLine>>;
let url: string;
let folder: string;
let picture: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  stack = await startStack({ env: { PUBLIC_URL: url } });
  line = await startLine(port, Number(new URL(stack.url).port));
  folder = await mkdtemp(path.join(tmpdir(), 'farmgate-pictures-'));
  picture = path.join(folder, 'green.png');
  await writeFile(picture, (await pictureOf('green')).buffer);
});
afterAll(async () => {
  line?.close();
  await stack?.close();
  await rm(folder, { recursive: true, force: true });
});

async function signIn(person: Screen, email: string): Promise<void> {
  await person.goto('/login');
  await person.type(field(/^Email/), email);
  await person.type({ selector: 'input[name=password]' }, PASSWORD);
  await person.press(button(/^Sign in$/));
  await person.sees(/Login successful!/);
  await person.untilTrue(IS_LIVE);
}

/** A phone in the hand of a customer, a laptop on the farm. */
async function doMainJob({ open }: Opener, engine: string): Promise<void> {
  const [phone, laptop] = [await open(), await open()];
  await phone.resize(420, 860);
  await laptop.resize(1280, 900);
  const [consumer, farmer] = [new Screen(phone, url), new Screen(laptop, url)];
  screens = [consumer, farmer];
  const fits = async () => {
    for (const person of [consumer, farmer]) expect(await person.overflow()).toBeLessThanOrEqual(0);
  };

  await farmer.load('/');
  await farmer.has(PRODUCT);
  await signIn(farmer, ACCOUNTS.farmer);
  await farmer.goto('/farmer/products');
  await farmer.untilTrue(IS_LIVE);

  // Shop, cart and checkout.
  await consumer.load('/');
  await consumer.has(PRODUCT);
  await fits();
  await signIn(consumer, ACCOUNTS.consumer);
  await consumer.goto('/farmers');
  await consumer.press(link(/Green Valley Farm/));
  await consumer.untilTrue(`document.querySelector('h1')?.textContent === 'Green Valley Farm'`);
  await consumer.press(PRODUCT);
  await consumer.type(field(/^Quantity/), '2');
  const product = new RegExp(
    await consumer.read<string>(`document.querySelector('h1').textContent`),
  );
  await fits();
  await consumer.press(button(/^Add to Cart$/));
  await consumer.sees(/Added .+ to your cart/);
  await consumer.press({ selector: 'a[href="/checkout"]' });
  // Not the first: the farm may be closing.
  await consumer.press({ selector: '[type=radio]', name: /[ap]m–/i, nth: 1 });
  await consumer.choose({ selector: 'input[type=time]' }, '10:30');
  await fits();
  await consumer.press(button(/^Place Order$/));
  await consumer.sees(/Order placed successfully!/);
  await consumer.untilTrue(`/^.orders.[0-9a-f-]{36}$/.test(location.pathname)`);
  const id = (await consumer.read<string>('location.pathname')).split('/').at(-1) ?? '';

  // The farm's answer, live on both screens.
  await farmer.sees(/New order/i);
  await farmer.press(button(/^View$/));
  await farmer.sees(new RegExp(`#${id.slice(0, 8)}`));
  await farmer.press(button(/^Accept/));
  await farmer.sees(/Order status updated to accepted/);
  await consumer.sees(/Accepted/);

  // Messages.
  await consumer.press(link(/^Open conversation$/));
  await consumer.type(field(/message/i), 'Shall I bring a crate?');
  await consumer.press(button(/send/i));
  const me = await consumer.read<{ _id: string }>(`JSON.parse(localStorage.getItem('user'))`);
  await farmer.goto(`/messages/${me._id}`);
  await farmer.sees(/Shall I bring a crate\?/);
  await farmer.type(field(/message/i), `Yes, please, by ${engine}.`);
  await farmer.press(button(/send/i));
  await consumer.sees(new RegExp(`Yes, please, by ${engine}\\.`));
  await fits();

  // A line that is lost and comes back.
  line.cut();
  await consumer.untilTrue(`/Reconnecting|Offline/.test(document.body.textContent)`);
  await consumer.type(field(/message/i), 'Written without a line.');
  await consumer.press(button(/send/i));
  await consumer.sees(/Written without a line\./);
  line.mend();
  await farmer.sees(/Written without a line\./);
  await consumer.untilTrue(IS_LIVE);

  // The pick list of the order's day.
  const order = await fetch(`${url}/api/orders/${id}`, {
    headers: {
      authorization: `Bearer ${await consumer.read<string>(`localStorage.getItem('token')`)}`,
    },
  });
  const { data } = (await order.json()) as { data: { pickupDetails: { date: string } } };
  await farmer.goto(`/farmer/picklist?date=${data.pickupDetails.date.slice(0, 10)}`);
  await farmer.press(checkbox(product));
  await farmer.has(ticked(product));
  await fits();

  // A product with a picture.
  await farmer.goto('/farmer/products/add');
  await farmer.type(field(/^Product name/), `Kohlrabi by ${engine}`);
  await farmer.type(
    field(/^Description/),
    'Sweet and crisp, best eaten raw with a little salt on it.',
  );
  const category = await farmer.read<string>(
    `document.querySelector('${CATEGORY}').options[1].value`,
  );
  await farmer.choose({ selector: CATEGORY }, category);
  await farmer.type(field(/^Price/), '3.25');
  await farmer.type(field(/^Quantity available/), '8');
  await farmer.attach('input[type=file]', picture);
  await farmer.untilTrue(`!!document.querySelector('img[alt="Picture 1"]')`);
  await farmer.press(button(/^Add product$/));
  await farmer.sees(/Product created successfully!/);
  await farmer.sees(new RegExp(`Kohlrabi by ${engine}`));
  await fits();

  for (const person of [consumer, farmer]) expect(await person.errors()).toEqual([]);
}

const engines: Record<string, () => Promise<Opener>> = {
  Firefox: () => startFirefox(FIREFOX_PATH),
  WebKit: () => startWebKit(WEBKIT_DRIVER_PATH, XVFB_PATH),
};

let opener: Opener | undefined;
let screens: Screen[] = [];
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    for (const screen of screens) {
      const { address, png } = await screen.picture();
      const file = path.join(tmpdir(), `farmgate-failed-${task.id}-${screens.indexOf(screen)}.png`);
      await writeFile(file, png);
      console.log(`${address}: ${file}`, await screen.errors());
    }
    printOutput(stack);
  }
  await opener?.close();
});

it.each(Object.keys(engines))('does the main job in %s', async (engine) => {
  opener = await engines[engine]?.();
  if (opener) await doMainJob(opener, engine);
});
