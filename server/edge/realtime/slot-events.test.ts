import { expect, it } from 'vitest';
import { parseEnvelope } from '#contract/app/registry';
import type { Envelope } from '#contract/platform/events/socket';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { makeSlot } from '../../testing/slots.ts';
import { named, reconnect, startSecondProcess } from './testing/connections.ts';

// Everyone may watch a farm's slots, so what one missed of them is replayed to everyone; how much exactly is
// taken, live or replayed, is sent to the farm alone.

const market = closeAfter(await startTestMarket());
const [farmer, stranger] = await Promise.all([market.join('farmer'), market.join('farmer')]);
const slot: string = await makeSlot(market, farmer, 30);

const slotsIn = (received: readonly Envelope[]) =>
  named(received, 'slot.updated').map((envelope) => {
    expect(parseEnvelope('slot.updated', envelope)).toEqual(envelope);
    return envelope.data;
  });

it('come back without the numbers to everyone but the farm, from memory and from the log', async () => {
  const after = await market.platform.eventLog.head();
  const body = { capacity: 20 };
  const { status } = await market.put(`/farm/slots/${slot}`, farmer, body);
  expect(status).toBe(200);
  await market.platform.eventLog.sequence();

  const publicForm = {
    _id: slot,
    farmId: farmer.id,
    hasLimit: true,
    remaining: null,
    state: 'open',
  };
  const whole = { ...publicForm, taken: 0, capacity: 20 };
  // A process that started late has nothing in memory, and reads the log for anyone who is signed in.
  const second = await startSecondProcess(market.env);
  for (const url of [market.url, second.url]) {
    const back = async (token?: string) => slotsIn(await reconnect(url, { token, after }));
    expect(await back(stranger.token)).toEqual([publicForm]);
    expect(await back(farmer.token)).toEqual([whole]);
  }
  expect(slotsIn(await reconnect(market.url, { after }))).toEqual([publicForm]);
  await second.close();
});

it('are not watched with a list that is none, or too long', async () => {
  const [socket, own] = [await market.connect(), await market.connect({ token: farmer.token })];
  const ownReceived: number[] = [];
  own.on('slot.updated', ({ data }) => ownReceived.push(data.capacity ?? 0));
  const received: string[] = [];
  socket.on('slot.updated', ({ data }) => received.push(data._id));
  const send = socket as unknown as { emit: (...args: unknown[]) => void };
  send.emit('farms.watch', null);
  send.emit('farms.watch', { farmIds: Array(21).fill(farmer.id) });
  send.emit('farms.watch', { farmIds: [`${farmer.id} `] });
  const change = (capacity: number) => market.put(`/farm/slots/${slot}`, farmer, { capacity });
  await change(19);
  // Once the farm has it, it is delivered to everyone who was to get it.
  await expect.poll(() => ownReceived).toEqual([19]);
  await socket.emitWithAck('farms.watch', { farmIds: [farmer.id] });
  await change(18);
  await expect.poll(() => received).toEqual([slot]);
});
