// @vitest-environment happy-dom

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { TestMail } from '#contract/admin/health/health';
import { beginAs, one, open, sent } from '../../../pages/testing/page.tsx';
import { aUser, type Call, refusal, stubNetwork } from '../../../platform/testing/network.ts';
import { TestMailCard } from './TestMailCard.tsx';

const admin = aUser('admin');
beginAs(admin);

const aTest = (over: Partial<TestMail> = {}): TestMail => ({
  to: admin.email,
  server: 'mail.example:587',
  from: 'hello@farm.example',
  outcome: 'taken',
  reason: '',
  replies: ['220 mail.example ESMTP', '250 2.0.0 Ok: queued as 4F2A'],
  milliseconds: 412,
  ...over,
});

async function send(answer: ReturnType<typeof one>): Promise<Call[]> {
  const calls = stubNetwork({ 'POST /admin/test-mail': answer });
  open(<TestMailCard />);
  await userEvent.click(screen.getByRole('button', { name: 'Send a test mail' }));
  return calls;
}

it('goes to the admin and shows what the mail server said', async () => {
  const calls = await send(one(aTest()));
  await screen.findByText(/The mail server took it/);
  expect(sent(calls, 'POST')).toEqual([{ to: admin.email }]);
  screen.getByText('mail.example:587');
  screen.getByText('hello@farm.example');
  screen.getByText('0.4 s');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '220 mail.example ESMTP',
    '250 2.0.0 Ok: queued as 4F2A',
  ]);
});

it.each([
  ['refused', '550 5.7.1 Not your sender', /MAIL_FROM/],
  ['addressRefused', '550 5.1.1 User unknown', /refuses this address/],
  ['retry', 'connect ECONNREFUSED 127.0.0.1:587', /See SMTP_URL/],
  ['unknown', 'Connection closed unexpectedly', /without an answer/],
  ['waiting', 'The mail server has not answered yet', /for 20 seconds/],
] as const)('says of %s why, and what to do', async (outcome, reason, text) => {
  await send(one(aTest({ outcome, reason })));
  await screen.findByText(text);
  screen.getByText(reason);
});

it('says that there is no mail server', async () => {
  await send(
    one(aTest({ outcome: 'file', server: '', reason: 'SMTP_URL is not set', replies: [] })),
  );
  await screen.findByText(/There is no mail server/);
  expect(screen.queryByText('The mail server said')).toBeNull();
});

it('says at the field what is wrong, and above it when it could not be sent', async () => {
  const calls = await send(refusal(503, 'UNAVAILABLE'));
  await screen.findByRole('alert');
  await userEvent.clear(screen.getByLabelText('To'));
  await userEvent.type(screen.getByLabelText('To'), 'nobody');
  await userEvent.click(screen.getByRole('button', { name: 'Send a test mail' }));
  await screen.findByText('Please enter a valid email address.');
  expect(sent(calls, 'POST')).toHaveLength(1);
});
