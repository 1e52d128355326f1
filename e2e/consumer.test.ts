import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, REFUSED, shortId, toastOf } from './open-market.ts';
import type { Person, Session } from './people.ts';

const market = openMarket({ hasWorker: false });

/** Adds a product to the cart on its page. */
async function addToCart({ page }: Person, product: Product) {
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
}

const ordersOf = async (consumer: Session) =>
  await market.ask<Order[]>('GET', '/orders/consumer', { as: consumer });

async function fillPickup({ page }: Person) {
  await page.getByLabel('Pickup date').fill(dayFromNow(3));
  await page.getByLabel('Pickup time').fill('10:30');
}

it('keeps a cart with products of one farm', async () => {
  const [north, south, consumer] = await Promise.all([
    market.createFarm('North Farm'),
    market.createFarm('South Farm'),
    market.register('consumer', 'Cora Basket'),
  ]);
  const leeks = await market.createProduct(north, { name: 'Leeks', price: 0.1 });
  const plums = await market.createProduct(south, { name: 'Plums', price: 1000 });
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto('/checkout');
  await page.getByRole('link', { name: 'Browse Products' }).waitFor();

  await addToCart(buyer, leeks);
  await toastOf(buyer, 'Added Leeks to your cart').waitFor();
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(buyer, 'Updated Leeks quantity in your cart').waitFor();

  // A product of another farm is refused; the consumer may keep or clear the cart.
  await addToCart(buyer, plums);
  const question = page.getByRole('alertdialog');
  await question
    .getByText('You can only order from one farm at a time. Please clear your cart first.')
    .waitFor();
  await question.getByRole('button', { name: 'Keep my cart' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.goto('/checkout');
  await page.getByRole('heading', { name: 'From North Farm' }).waitFor();
  const quantity = page.getByRole('spinbutton', { name: 'Quantity of Leeks' });
  await expect.poll(() => quantity.inputValue()).toBe('2');
  await quantity.fill('0');
  await quantity.blur();
  await expect.poll(() => quantity.inputValue()).toBe('1');
  await page.getByRole('button', { name: 'One more: Quantity of Leeks' }).click();
  await page.getByRole('button', { name: 'One more: Quantity of Leeks' }).click();
  await page
    .getByText(/₨\s?0\.30/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Remove Leeks' }).click();
  await toastOf(buyer, 'Item removed from cart').waitFor();
  await page.getByRole('link', { name: 'Browse Products' }).waitFor();

  await addToCart(buyer, leeks);
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
  await addToCart(buyer, plums);
  await question.getByRole('button', { name: 'Clear cart and add' }).click();
  await toastOf(buyer, 'Added Plums to your cart').waitFor();
  await page.getByRole('link', { name: 'Cart (1)' }).click();
  await page.getByRole('heading', { name: 'From South Farm' }).waitFor();
  await page.getByText('₨1,000.00').or(page.getByText('₨ 1,000.00')).first().waitFor();
  await page.getByRole('button', { name: 'Clear cart' }).click();
  await question.getByRole('button', { name: 'Clear cart' }).click();
  await toastOf(buyer, 'Cart cleared').waitFor();
});

it('orders for pickup once, however often the button is pressed', async () => {
  const farmer = await market.createFarm('Pickup Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Beets', price: 2.25 }),
    market.register('consumer', 'Petra Pick'),
  ]);
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await addToCart(buyer, product);
  await page.getByRole('link', { name: 'Cart (1)' }).click();
  await expect.poll(() => page.getByRole('radio', { name: /^Pickup/ }).isChecked()).toBe(true);
  const location = page.getByLabel('Pickup location');
  await until('the address', async () => (await location.inputValue()).includes('1 Mill Lane'));
  const payment = page.getByLabel('Payment method');
  await expect
    .poll(() => payment.locator('option:checked').textContent())
    .toBe('Cash on Pickup/Delivery');

  await location.fill('');
  await page.getByRole('button', { name: 'Place Order' }).click();
  for (const words of ['Choose a date.', 'Choose a time.', 'Pickup location is required']) {
    await page.getByText(words).waitFor();
  }
  const date = page.getByLabel('Pickup date');
  await until('the focus', () => date.evaluate((box) => box === document.activeElement));

  await fillPickup(buyer);
  await location.fill('The barn');
  await payment.selectOption('bank_transfer');
  await page.getByLabel('Notes').fill('I come by bicycle.');
  await page.getByRole('button', { name: 'Place Order' }).dblclick();
  await toastOf(buyer, 'Order placed successfully!').waitFor();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  const orders = await ordersOf(consumer);
  expect(orders).toHaveLength(1);
  const id = orders[0]?._id ?? '';
  expect(new URL(page.url()).pathname).toBe(`/orders/${id}`);

  await page.getByRole('heading', { name: `Order #${shortId({ _id: id })}`, level: 1 }).waitFor();
  const main = page.locator('main');
  for (const words of [
    'Pending',
    /Placed on/,
    'Bank transfer',
    'I come by bicycle.',
    'The barn',
    'Petra Pick',
    consumer.user.email,
    'Owner of Pickup Farm',
    farmer.user.email,
    '(802) 555-0100',
    /₨\s?2\.25/,
  ]) {
    await main.getByText(words).first().waitFor();
  }
  await main.getByRole('table').getByText('Beets').waitFor();
  await page.getByRole('link', { name: 'Cart (0)' }).waitFor();
  await page.getByRole('link', { name: 'Back to Orders' }).click();
  await page.waitForURL(`${market.url}/orders`);
});

it('orders a delivery to the saved address', async () => {
  const farmer = await market.createFarm('Delivery Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Squash' }),
    market.register('consumer', 'Della Home'),
  ]);
  const buyer = await market.visit({ as: consumer, width: 360, height: 740 });
  const { page } = buyer;
  await addToCart(buyer, product);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).last().click();
  // The toast of the cart stands at the lower edge of a phone, where the choice is scrolled to.
  await until('no toast', async () => (await page.locator('[data-sonner-toast]').count()) === 0);
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
  const street = page.getByLabel('Street');
  await until('the address', async () => (await street.inputValue()) === '1 Mill Lane');
  expect(await page.getByLabel('City').inputValue()).toBe('Putney');
  expect(await page.getByLabel('Province').inputValue()).toBe('VT');
  expect(await page.getByLabel('Postal code').inputValue()).toBe('05346');
  await page.getByLabel('Street').fill('');
  await page.getByRole('button', { name: 'Place Order' }).click();
  for (const words of ['Street is required', 'Choose a date.', 'Choose a time.']) {
    await page.getByText(words).waitFor();
  }
  await page.getByLabel('Street').fill('2 Mill Lane');
  await page.getByLabel('Delivery date').fill(dayFromNow(2));
  await page.getByLabel('Delivery time').fill('17:00');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await page.getByText('2 Mill Lane').first().waitFor();
  await page.getByText('Putney, VT 05346').first().waitFor();
  expect((await ordersOf(consumer))[0]?.deliveryDetails?.time).toBe('17:00');
});

it('warns at the checkout when a price changes or a product sells out', async () => {
  const farmer = await market.createFarm('Moving Farm');
  const [corn, beans, consumer, other] = await Promise.all([
    market.createProduct(farmer, { name: 'Corn', price: 1, quantityAvailable: 2 }),
    market.createProduct(farmer, { name: 'Beans', price: 3 }),
    market.register('consumer', 'Quentin Quick'),
    market.register('consumer', 'Olga Other'),
  ]);
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await addToCart(buyer, corn);
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
  await addToCart(buyer, beans);
  await page.getByRole('link', { name: 'Cart (2)' }).click();
  await fillPickup(buyer);

  await market.call('PUT', `/products/${beans._id}`, { as: farmer, body: { price: 3.5 } });
  await market.placeOrder(other, corn, 2);
  const news = page
    .getByRole('status')
    .filter({ hasText: 'Some things in your cart have changed' });
  await news.getByText(/^Beans costs ₨\s?3\.50 now instead of ₨\s?3\.00\.$/).waitFor();
  await news.getByText('Corn is sold out.').waitFor();

  // No order is placed at a price that the consumer has not confirmed.
  await page.getByRole('button', { name: 'Place Order' }).click();
  await until('the news to be in focus', () =>
    page.evaluate(() => document.activeElement?.textContent?.includes('Corn is sold out.')),
  );
  expect(await ordersOf(consumer)).toEqual([]);
  await news.getByRole('button', { name: 'Update my cart' }).click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  expect((await ordersOf(consumer))[0]?.totalAmount).toBe(3.5);
});

it('filters the own orders, cancels one and sends a message about it', async () => {
  const farmer = await market.createFarm('Orderly Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Onions' }),
    market.register('consumer', 'Ann Order'),
  ]);
  const [first, second] = [
    await market.placeOrder(consumer, product),
    await market.placeOrder(consumer, product),
  ];
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto('/orders');
  const filters = page.getByRole('group', { name: 'Order status' });
  await filters.waitFor();
  expect(await filters.getByRole('button').allTextContents()).toEqual([
    'All',
    'Pending',
    'Accepted',
    'Completed',
    'Rejected',
    'Cancelled',
  ]);
  const card = page.getByRole('listitem').filter({ hasText: `#${shortId(first)}` });
  for (const words of ['Pending', 'Ann Order', '1 item', /₨\s?4\.50/, 'View Details']) {
    await card.getByText(words).first().waitFor();
  }
  await filters.getByRole('button', { name: 'Rejected' }).click();
  await page.getByText('No Orders Found').waitFor();
  expect(new URL(page.url()).search).toBe('?status=rejected');
  await filters.getByRole('button', { name: 'Pending' }).click();
  await card.getByRole('link', { name: /^View Details/ }).click();
  await page.waitForURL(`**/orders/${first._id}`);

  await page.getByRole('button', { name: 'Cancel order' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('This action cannot be undone.').waitFor();
  await question.getByLabel('Reason (optional)').fill('We go away.');
  await question.getByRole('button', { name: 'Cancel order' }).click();
  await toastOf(buyer, 'Order status updated to cancelled').waitFor();
  await page.getByText('We go away.').waitFor();

  await page.getByRole('textbox', { name: /about this order/ }).fill('Sorry about that.');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await toastOf(buyer, 'Message sent').waitFor();
  await page.getByRole('link', { name: 'Open conversation' }).click();
  await page.getByText('Sorry about that.').last().waitFor();
  await page.getByRole('link', { name: `About order ${shortId(first)}` }).waitFor();

  // The list is still filtered and no longer has the cancelled order.
  await page.goto('/orders?status=pending');
  await page
    .getByRole('listitem')
    .filter({ hasText: `#${shortId(second)}` })
    .waitFor();
  // What the last visit has kept may still show it for a moment.
  await until('the cancelled order to be gone', async () => (await card.count()) === 0);
});

it('exchanges messages with a farmer', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Talking Farm'),
    market.register('consumer', 'Mia Talk'),
  ]);
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto('/messages');
  await page.getByText('No Messages Yet').waitFor();
  await page.goto(`/messages/${farmer.user._id}`);
  await page.getByText('No messages yet. Start the conversation!').waitFor();

  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByRole('button', { name: 'Message Farmer' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Message Farmer' }).click();
  const box = page.getByRole('textbox', { name: 'Message to Talking Farm' });
  await box.fill('   ');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await box.fill('Do you have eggs?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await box.waitFor({ state: 'hidden' });

  await market.call('POST', '/messages', {
    as: farmer,
    body: { receiver: consumer.user._id, content: 'From Friday on.' },
  });
  await page.goto('/messages');
  const row = page.getByRole('link', { name: /^Talking Farm/ });
  await row.getByText('1 new').waitFor();
  await row.getByText('From Friday on.').waitFor();
  await row.getByText('Farmer', { exact: true }).waitFor();
  await row.click();
  const thread = await market.call<{ data: unknown[] }>('GET', `/messages/${farmer.user._id}`, {
    as: consumer,
  });
  // The blank message was not sent.
  expect(thread.data).toHaveLength(2);
  await page.getByText('Do you have eggs?').last().waitFor();
  await row.getByText('1 new').waitFor({ state: 'hidden' });

  // The end of a long conversation is in view.
  // The farm has its own name, and its person stands below.
  await page.getByRole('heading', { name: 'Talking Farm' }).waitFor();
  await page.getByText('Owner of Talking Farm', { exact: true }).waitFor();
  const write = page.getByRole('textbox', { name: 'Message to Talking Farm' });
  await write.fill(Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n'));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await write.fill('That was long.');
  await write.press('Enter');
  const last = page.getByText('That was long.').last();
  await last.waitFor();
  await until('the end to be in view', () =>
    last.evaluate((bubble) => bubble.getBoundingClientRect().bottom <= window.innerHeight),
  );
});

it('edits the own profile', async () => {
  const consumer = await market.register('consumer', 'Nora Before');
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto('/profile');
  await page.getByText('Email cannot be changed').waitFor();
  expect(await page.getByRole('tab').allTextContents()).toEqual(['General Information']);
  for (const label of ['Email', 'Account type']) {
    expect(
      await page.getByRole('textbox', { name: label }).getAttribute('readonly'),
    ).not.toBeNull();
  }
  await page.getByLabel('Name').fill(' ');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Name is required').waitFor();
  await page.getByLabel('Name').fill('Nelly After');
  await page.getByLabel('Street').fill('9 New Road');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await toastOf(buyer, 'Profile updated successfully!').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Nelly' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Profile',
    'Orders',
    'Messages',
    'اردو',
    'Deutsch',
    'Logout',
  ]);
});

it('drops an unreadable stored cart and an expired session', async () => {
  const consumer = await market.register('consumer', 'Olive Old');
  const { page } = await market.visit({
    as: { ...consumer, token: 'not a token' },
    allowedErrors: REFUSED,
  });
  await page.addInitScript(() => localStorage.setItem('cart', '{"items":"from long ago"'));
  await page.goto('/products');
  await page.getByRole('region', { name: 'Products found' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.token)).toBeUndefined();
});
