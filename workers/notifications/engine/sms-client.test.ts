import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { openSmsGateway } from '../../testing/sms-gateway.ts';
import { createSmsClient, SmsRefusedError } from './sms-client.ts';

const MESSAGE = { to: '+923001234567', text: 'Neue Bestellung für Ünal: آرڈر' };
const LONG_MS = 60_000;

let gateway: Awaited<ReturnType<typeof openSmsGateway>>;
beforeEach(async () => {
  gateway = await openSmsGateway();
});
afterEach(() => gateway.close());

const send = (deadlineMs = LONG_MS, token?: string) =>
  createSmsClient({ SMS_URL: gateway.url, SMS_TOKEN: token }, deadlineMs).send(MESSAGE);
const refusal = (deadlineMs?: number): Promise<Error> =>
  send(deadlineMs).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

it('posts number and text as JSON, with the token', async () => {
  await send(LONG_MS, 'secret');
  expect(gateway.texts).toMatchObject([MESSAGE]);
  const [attempt] = gateway.attempts;
  expect(attempt).toMatchObject({ method: 'POST', path: '/send' });
  expect(attempt?.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: 'Bearer secret',
  });
});

it('sends no token where there is none, and takes any answer of 2xx, also a late one', async () => {
  gateway.behave(200, 201, 204, 'late');
  for (let count = 0; count < 4; count++) await send();
  expect(gateway.texts).toHaveLength(4);
  expect(gateway.attempts[0]?.headers.authorization).toBeUndefined();
});

it('ignores the body of an answer, however long', async () => {
  gateway.behave('floods');
  await send();
  await until(async () => (await gateway.countConnections()) === 0);
});

describe('a message that is not taken', () => {
  it.each([400, 401, 403, 404, 410, 422])('is refused permanently by %i', async (status) => {
    gateway.behave(status);
    expect(await refusal()).toMatchObject({
      isPermanent: true,
      message: expect.stringContaining(`${status}`),
    });
  });

  it.each([408, 425, 429, 500, 502, 503])('is refused for now by %i', async (status) => {
    gateway.behave(status);
    expect(await refusal()).toMatchObject({ isPermanent: false });
  });

  it('follows no redirect', async () => {
    gateway.behave('redirects');
    expect(await refusal()).toMatchObject({ isPermanent: false });
    expect(gateway.attempts).toHaveLength(1);
  });
});

describe('a message of which nobody knows whether it was taken', () => {
  it.each(['hangs', 'endless hints'] as const)('ends by the deadline: %s', async (way) => {
    gateway.behave(way);
    const error = await refusal(200);
    expect(error).not.toBeInstanceOf(SmsRefusedError);
    expect(error.message).toBe('The SMS gateway did not answer within 200 ms.');
    await until(async () => (await gateway.countConnections()) === 0);
  });

  it.each(['answer lost', 'reset'] as const)('fails: %s', async (way) => {
    gateway.behave(way);
    expect(await refusal()).not.toBeInstanceOf(SmsRefusedError);
  });

  it('says neither number nor text', async () => {
    gateway.behave('answer lost', 500, 400);
    for (let count = 0; count < 3; count++) {
      const { message } = await refusal();
      expect(message).not.toContain(MESSAGE.to);
      expect(message).not.toContain('Ünal');
    }
  });
});
