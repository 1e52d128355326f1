import { afterAll, afterEach, expect, it } from 'vitest';
import { readEnv } from '../../../server/platform/process/env.ts';
import type { Log } from '../../../server/platform/process/log.ts';
import { openSmtpServer } from '../../../server/testing/smtp-server.ts';
import { until } from '../../../testing/until.ts';
import { PostponedError } from '../../delivery/postpone.ts';
import { createMailer, type Mailer } from './mailer.ts';

const server = await openSmtpServer();
let mailer: Mailer;
const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => warnings.push(line), info: () => {} } as unknown as Log;

function start(settings: Record<string, string> = {}): void {
  const env = readEnv({
    DATABASE_URL: 'postgres://farmgate@localhost/farmgate',
    REDIS_URL: 'redis://localhost:6379',
    JWT_SECRET: 'a secret of more than thirty-two characters',
    SMTP_URL: server.url,
    ...settings,
  });
  mailer = createMailer(env, log);
}
afterEach(() => {
  mailer.stop();
  mailer.close();
  server.reset();
  server.mails.length = 0;
  warnings.length = 0;
});
afterAll(() => server.close());

const send = (to: string) =>
  mailer.send({ id: to, to, subject: 'Hello', text: 'Hello', html: '' }, async () => {});

it.each(['greeting', 'mailFrom', 'rcptTo', 'content'] as const)(
  'pauses all mails when the server answers 421 to %s',
  async (step) => {
    start();
    server.behaviour[step] = () => '421 4.7.0 Too many mails';
    await expect(send('one@hill.test')).rejects.toMatchObject({ verdict: 'retry', code: 421 });
    expect(warnings).toEqual([[{ pauseMs: 10_000 }, 'Mail server wants fewer mails; pausing']]);
    server.reset();
    const commands = server.commands.length;
    const waiting = expect(send('two@hill.test')).rejects.toBeInstanceOf(PostponedError);
    mailer.stop();
    await waiting;
    expect(server.commands).toHaveLength(commands);
  },
);

it('sends no more mails a second than the setting allows', async () => {
  start({ MAILS_PER_SECOND: '0.001' });
  await send('one@hill.test');
  const second = expect(send('two@hill.test')).rejects.toBeInstanceOf(PostponedError);
  mailer.stop();
  await second;
  expect(server.mails.map(({ to }) => to)).toEqual(['one@hill.test']);
});

it('sends as many at once as it may have connections, and the next as soon as one is free', async () => {
  start({ SMTP_CONNECTIONS: '2' });
  const before = server.connectionCount();
  const waiting = new Map<string, () => void>();
  server.behaviour.content = ({ to }) =>
    new Promise((resolve) => waiting.set(to, () => resolve('250 OK')));
  const sent = ['one', 'two', 'three'].map((name) => send(`${name}@hill.test`));
  await until(() => waiting.size === 2);
  expect(server.connectionCount()).toBe(before + 2);
  waiting.get('one@hill.test')?.();
  await until(() => waiting.has('three@hill.test'));
  for (const answer of waiting.values()) answer();
  await Promise.all(sent);
  expect(server.connectionCount()).toBe(before + 2);
});
