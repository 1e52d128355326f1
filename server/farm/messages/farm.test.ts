import { expect, it } from 'vitest';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';

// Chat is with the farm: anyone of it who may, writes and reads for it.

const market = closeAfter(await startTestMarket());
const [owner, consumer] = [await market.join('farmer', 'Ann Owner'), await market.join('consumer')];
const seller = await hire(market, owner, 'seller');
const packer = await hire(market, owner, 'packer');

const send = (as: Caller, receiver: string, content: string) =>
  market.post('/messages', as, { receiver, content });
const thread = async (as: Caller, userId: string) =>
  (await market.get(`/messages/${userId}`, as)).body;
const unread = async (as: Caller) => (await market.get('/messages', as)).body.unreadCount;

/** Listens for an event. @returns its data */
async function nextEvent(as: Caller, name: 'message.created' | 'messages.read' | 'typing') {
  const socket = await market.connect({ token: as.token });
  const data = new Promise<Record<string, unknown>>((resolve) =>
    socket.once(name, (event: { data: Record<string, unknown> }) => resolve(event.data)),
  );
  return { socket, data };
}

it('reaches everyone of the farm who may answer, and nobody else of it', async () => {
  const [toOwner, toSeller] = [
    await nextEvent(owner, 'message.created'),
    await nextEvent(seller, 'message.created'),
  ];
  await send(consumer, owner.id, 'Are you open on Monday?');
  expect((await toOwner.data).content).toBe('Are you open on Monday?');
  expect((await toSeller.data).content).toBe('Are you open on Monday?');
  expect([await unread(owner), await unread(seller)]).toEqual([1, 1]);
  for (const path of ['/messages', `/messages/${consumer.id}`]) {
    expect((await market.get(path, packer)).status).toBe(403);
  }
  expect((await send(packer, consumer.id, 'Yes')).status).toBe(403);
});

it('is answered by any of them for the farm, and the customer reads who it was', async () => {
  const answered = await send(seller, consumer.id, 'From eight on.');
  expect(answered.status).toBe(201);
  expect(answered.body.data).toMatchObject({
    sender: { _id: owner.id, name: 'Ann Owner' },
    author: { _id: seller.id, name: seller.name, farmName: expect.any(String) },
  });
  const inPerson = await send(owner, consumer.id, 'And until noon.');
  expect(inPerson.body.data.author).toBeUndefined();
  const { data } = await thread(consumer, owner.id);
  expect(data.map(({ content }: { content: string }) => content)).toEqual([
    'Are you open on Monday?',
    'From eight on.',
    'And until noon.',
  ]);
  expect((await thread(seller, consumer.id)).data).toEqual((await thread(owner, consumer.id)).data);
});

it('is read for the whole farm by anyone who reads it', async () => {
  await send(consumer, owner.id, 'Thank you.');
  const toConsumer = await nextEvent(consumer, 'messages.read');
  await market.put(`/messages/read/${consumer.id}`, seller, {});
  expect(await toConsumer.data).toMatchObject({ reader: owner.id, sender: consumer.id });
  expect([await unread(owner), await unread(seller)]).toEqual([0, 0]);
});

it('shows the customer who of the farm is typing', async () => {
  const toConsumer = await nextEvent(consumer, 'typing');
  const { socket } = await nextEvent(seller, 'typing');
  socket.emit('typing', { to: consumer.id, isTyping: true });
  expect(await toConsumer.data).toEqual({ from: owner.id, isTyping: true, name: seller.name });
});

it('is with the farm alone: its people are unknown to others, as people', async () => {
  expect((await send(consumer, seller.id, 'Hello')).status).toBe(404);
  expect((await market.get(`/messages/${seller.id}`, consumer)).status).toBe(404);
});

it('keeps what was written for the farm when its writer leaves', async () => {
  const leaver = await hire(market, owner, 'manager');
  await send(leaver, consumer.id, 'See you on Saturday.');
  const admin = await market.join('admin');
  await market.delete(`/users/${leaver.id}`, admin);
  const { data } = await thread(consumer, owner.id);
  expect(data.at(-1)).toMatchObject({
    content: 'See you on Saturday.',
    author: { name: 'Deleted user' },
  });
});
