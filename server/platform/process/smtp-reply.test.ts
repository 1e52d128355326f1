import { expect, it } from 'vitest';
import { judgeFailure } from './smtp-reply.ts';

const judge = (reply: string, command: string, isHandedOver = false) =>
  judgeFailure({ code: Number(reply.slice(0, 3)) || undefined, reply, command, isHandedOver });

it.each([
  '550 5.1.1 <lena@hill.test>: Recipient address rejected: User unknown in virtual mailbox table',
  "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos",
  '550 5.1.2 Host unknown',
  '556 5.1.10 Recipient address has null MX',
  '550 5.2.1 The email account that you tried to reach is disabled.',
  '550 5.4.1 Recipient address rejected: Access denied.',
  '550 5.5.0 Requested action not taken: mailbox unavailable',
  '550 No such user here',
  '550 <spam@relay.test>: nobody of this name lives here',
  '551 User not local',
  '553 Requested action not taken: mailbox name invalid',
])('takes "%s" to RCPT TO as a refusal of the address', (reply) => {
  expect(judge(reply, 'RCPT TO')).toBe('addressRefused');
});

it.each([
  ['550 5.7.1 Relaying denied', 'RCPT TO'],
  ['554 5.7.1 <lena@hill.test>: Relay access denied', 'RCPT TO'],
  ['550 relay not permitted', 'RCPT TO'],
  ['550 5.7.1 Service unavailable; client blocked using zen.spamhaus.org', 'RCPT TO'],
  ['550 Blocked by policy', 'RCPT TO'],
  ['550 5.1.8 <hello@farm.test>: Sender address rejected: Domain not found', 'RCPT TO'],
  ['550 5.1.0 <hello@farm.test>: Sender address rejected: User unknown', 'RCPT TO'],
  ['552 5.2.2 Mailbox full', 'RCPT TO'],
  ['550 Mailbox is full', 'RCPT TO'],
  ['554 Transaction failed', 'RCPT TO'],
  ['550 5.1.1 hello@farm.test is no sender here', 'MAIL FROM'],
  ['530 5.7.0 Authentication required', 'MAIL FROM'],
  ['550 5.1.1 No such user', 'DATA'],
  ['554 5.7.1 Message looks like spam', 'DATA'],
  ['552 Message too large', 'DATA'],
])('takes "%s" to %s as a refusal of the mail alone', (reply, command) => {
  expect(judge(reply, command)).toBe('refused');
});

it.each([
  ['450 4.2.0 Greylisted, see you in 5 minutes', 'RCPT TO'],
  ['452 4.2.2 Mailbox full', 'RCPT TO'],
  ['451 Local error', 'DATA'],
  ['421 Too many connections', 'CONN'],
  // Of these the mail is not the reason: an admin mends the settings, or the server recovers.
  ['554 No SMTP service here', 'CONN'],
  ['535 5.7.8 Wrong password', 'AUTH LOGIN'],
])('has the mail tried again after "%s" to %s', (reply, command) => {
  expect(judge(reply, command)).toBe('retry');
});

it('knows nothing where the answer after the last dot is lost, and is sure before it', () => {
  expect(judge('', 'CONN', true)).toBe('unknown');
  expect(judge('', 'CONN', false)).toBe('retry');
  expect(judge('451 Try later', 'DATA', true)).toBe('retry');
});
