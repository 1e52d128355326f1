import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { makeCertificate } from '../../testing/certificate.ts';
import { heldReply, openSmtpServer } from '../../testing/smtp-server.ts';
import { SettingError } from './env.ts';
import { createSmtp, SMTP_WAITS, type SmtpError } from './smtp.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'farmgate-smtp-'));
const certificate = makeCertificate();
const SMTP_CA_FILE = path.join(folder, 'ca.pem');
writeFileSync(SMTP_CA_FILE, certificate.cert);
const plain = await openSmtpServer();
const secure = await openSmtpServer(certificate);
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  plain.reset();
});
afterAll(async () => {
  await Promise.all([plain.close(), secure.close()]);
  rmSync(folder, { recursive: true });
});

function connect(
  SMTP_URL: string,
  more: Partial<Parameters<typeof createSmtp>[0]> = {},
  waits = SMTP_WAITS,
) {
  const smtp = createSmtp(
    { SMTP_URL, SMTP_CONNECTIONS: 2, SMTP_CA_FILE: undefined, ...more },
    { waits },
  );
  cleanups.push(smtp.close);
  return smtp;
}

const MAIL = { from: 'hello@farm.test', to: 'lena@hill.test', subject: 'Hello', text: 'Hello' };
const SOON = { ...SMTP_WAITS, greetingMs: 100, answerMs: 100 };

/** Returns how an attempt failed. */
const failureOf = (attempt: Promise<unknown>): Promise<SmtpError> =>
  attempt.then(
    () => Promise.reject(new Error('It was taken')),
    (error: SmtpError) => error,
  );

describe('a slow mail server', () => {
  it('is waited for as long as RFC 5321 says', () => {
    expect(SMTP_WAITS.greetingMs).toBeGreaterThanOrEqual(5 * 60_000);
    expect(SMTP_WAITS.answerMs).toBeGreaterThanOrEqual(10 * 60_000);
  });

  it('may greet and answer late', async () => {
    const [greeting, content] = [heldReply(), heldReply()];
    Object.assign(plain.behaviour, {
      greeting: () => greeting.reply,
      content: () => content.reply,
    });
    const before = plain.connectionCount();
    const sending = connect(plain.url).send(MAIL);
    await until(() => plain.connectionCount() === before + 1);
    greeting.give('220 at last');
    await until(() => plain.mails.some(({ to }) => to === MAIL.to));
    content.give('250 taken as 42');
    expect(await sending).toBe('250 taken as 42');
    expect(plain.connectionCount()).toBe(before + 1);
  });

  it('that never greets has not taken the mail', async () => {
    plain.behaviour.greeting = () => heldReply().reply;
    const error = await failureOf(connect(plain.url, {}, SOON).send(MAIL));
    expect(error).toMatchObject({ verdict: 'retry', isHandedOver: false });
  });

  it('that never answers after the last dot may have taken it', async () => {
    plain.behaviour.content = () => heldReply().reply;
    const error = await failureOf(connect(plain.url, {}, SOON).send(MAIL));
    expect(error).toMatchObject({ verdict: 'unknown', isHandedOver: true });
  });
});

it('uses a connection for many mails', async () => {
  const smtp = connect(plain.url, { SMTP_CONNECTIONS: 1 });
  const before = plain.connectionCount();
  for (let count = 0; count < 5; count++) await smtp.send(MAIL);
  expect(plain.connectionCount()).toBe(before + 1);
});

it('sends nobody a mail before its last dot is allowed', async () => {
  const smtp = connect(plain.url);
  const count = plain.mails.length;
  const refusal = new Error('The database is away');
  const refused = smtp.send({ ...MAIL, beforeLastDot: () => Promise.reject(refusal) });
  await expect(refused).rejects.toBe(refusal);
  const order: string[] = [];
  plain.behaviour.content = () => {
    order.push('last dot');
    return '250 OK';
  };
  await smtp.send({ ...MAIL, beforeLastDot: async () => void order.push('allowed') });
  expect(order).toEqual(['allowed', 'last dot']);
  expect(plain.mails).toHaveLength(count + 1);
});

it.each([
  ['mailFrom', '550 5.1.1 no such sender', 'refused'],
  ['rcptTo', '550 5.1.1 no such user', 'addressRefused'],
  ['rcptTo', '451 4.7.1 greylisted', 'retry'],
  ['content', '550 5.1.1 no such user', 'refused'],
  ['content', '452 4.3.1 disk full', 'retry'],
  ['mailFrom', '421 4.7.0 too many mails', 'retry'],
  ['content', null, 'unknown'],
  ['rcptTo', null, 'retry'],
] as const)('takes the answer to %s of %s as %s', async (step, reply, verdict) => {
  plain.behaviour[step] = () => reply;
  const error = await failureOf(connect(plain.url).send(MAIL));
  expect(error.verdict).toBe(verdict);
  expect(error.code).toBe(reply === null ? undefined : Number(reply.slice(0, 3)));
});

describe('encryption', () => {
  const withCa = { SMTP_CA_FILE };
  const required = `${secure.url}?requireTLS=true`;

  it("is by STARTTLS with a certificate of one's own", async () => {
    await connect(required, withCa).send(MAIL);
    expect(secure.mails.at(-1)?.isEncrypted).toBe(true);
    await connect(secure.url, withCa).send(MAIL);
    expect(secure.mails.at(-1)?.isEncrypted).toBe(true);
  });

  it('is refused where the certificate is not known', async () => {
    const error = await failureOf(connect(required).send(MAIL));
    expect(error.message).toMatch(/self-signed certificate/);
    expect(error.verdict).toBe('retry');
  });

  it('is not given up where it is required', async () => {
    const error = await failureOf(connect(`${plain.url}?requireTLS=true`).send(MAIL));
    expect(error.verdict).toBe('retry');
    expect(error.isHandedOver).toBe(false);
  });

  it('is not needed for a relay on the same machine, whatever its certificate is', async () => {
    await connect(plain.url).send(MAIL);
    await connect(secure.url).send(MAIL);
    expect(secure.mails.at(-1)?.isEncrypted).toBe(false);
  });

  it('says which setting is wrong when the file is missing', () => {
    expect(() => connect(plain.url, { SMTP_CA_FILE: '/nowhere/ca.pem' })).toThrow(SettingError);
  });
});
