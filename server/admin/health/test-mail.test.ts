import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { heldReply, openSmtpServer } from '../../testing/smtp-server.ts';
import { sendTestMail } from './test-mail.ts';

const server = await openSmtpServer();
const market = closeAfter(await startTestMarket({ SMTP_URL: server.url }));
const admin = await market.join('admin');
afterEach(() => server.reset());
afterAll(() => server.close());

const send = async (body: object = {}) =>
  (await market.post('/admin/test-mail', admin, body)).body.data;

it('goes to the admin and says what the server answered, step by step', async () => {
  server.behaviour.content = () => '250 2.0.0 Ok: queued as 4F2A';
  expect(await send()).toMatchObject({
    to: admin.email,
    from: 'hello@farmgate.test',
    server: server.url.replace('smtp://', ''),
    outcome: 'taken',
    reason: '',
    replies: [
      '220 test',
      '250 test',
      '250 OK',
      '250 OK',
      '354 Go on',
      '250 2.0.0 Ok: queued as 4F2A',
    ],
  });
  expect(server.mailsTo(admin.email)[0]?.subject).toBe('Test mail of Farmgate');
});

it('goes to another address', async () => {
  expect(await send({ to: 'Post@Hill.test' })).toMatchObject({ to: 'post@hill.test' });
  expect(server.mailsTo('post@hill.test')).toHaveLength(1);
});

it('is refused where no address is one', async () => {
  expect((await market.post('/admin/test-mail', admin, { to: 'nobody' })).status).toBe(400);
});

it.each([
  ['mailFrom', '550 5.7.1 Not your sender', 'refused'],
  ['rcptTo', '550 5.1.1 User unknown', 'addressRefused'],
  ['rcptTo', '451 4.7.1 Greylisted', 'retry'],
  ['content', null, 'unknown'],
] as const)('says what %s was answered: %s', async (step, reply, outcome) => {
  server.behaviour[step] = () => reply;
  const mail = await send();
  expect(mail.outcome).toBe(outcome);
  if (reply !== null) {
    expect(mail.reason).toContain(reply);
    expect(mail.replies.at(-1)).toBe(reply);
  }
});

describe('without an answer', () => {
  const { env } = market.platform;

  it('says that the server is slow, and what it has said so far', async () => {
    server.behaviour.content = () => heldReply().reply;
    const mail = await sendTestMail(env, 'lena@hill.test', 500);
    expect(mail).toMatchObject({ outcome: 'waiting' });
    expect(mail.replies.at(-1)).toBe('354 Go on');
  });

  it('says that nothing listens there', async () => {
    const mail = await sendTestMail({ ...env, SMTP_URL: 'smtp://127.0.0.1:1' }, 'lena@hill.test');
    expect(mail).toMatchObject({ outcome: 'retry', replies: [] });
    expect(mail.reason).toContain('ECONNREFUSED');
  });

  it('says that there is no mail server, or which setting is wrong', async () => {
    const none = await sendTestMail({ ...env, SMTP_URL: undefined }, 'lena@hill.test');
    expect(none).toMatchObject({ outcome: 'file', server: '' });
    const wrong = await sendTestMail({ ...env, SMTP_CA_FILE: '/nowhere' }, 'lena@hill.test');
    expect(wrong.reason).toContain('The setting SMTP_CA_FILE is wrong');
  });
});
