// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '../../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { type Call, emptyList, stubNetwork } from '../../../platform/testing/network.ts';
import { aToken, aUser } from '../../../platform/testing/people.ts';
import { AccountSecurity } from './AccountSecurity.tsx';

const done = { status: 200, body: { success: true } };
let calls: Call[];
beforeEach(() => {
  calls = stubNetwork({
    'PUT /auth/password': done,
    'GET /auth/sessions': emptyList,
    'GET /auth/second-factor': {
      status: 200,
      body: { success: true, data: { app: null, passkeys: [] } },
    },
  });
  store.set(userAtom, aUser('farmer'));
  store.set(tokenAtom, aToken);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function changePassword(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  await user.type(screen.getByLabelText(/^Current password/), 'password123');
  await user.type(screen.getByLabelText(/^New password/), 'another one');
  await user.type(screen.getByLabelText(/^Repeat new password/), 'another one');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
}
const sent = () => calls.find(({ method }) => method === 'PUT')?.body;

it('a new password renews the address of the calendar, which is ticked', async () => {
  const onRenewed = vi.fn();
  render(
    <Providers>
      <AccountSecurity email="ann@market.test" calendar={{ onRenewed }} />
    </Providers>,
  );
  const user = userEvent.setup();
  const box = screen.getByRole('checkbox', { name: /Give my calendar a new address/ });
  expect((box as HTMLInputElement).checked).toBe(true);
  await changePassword(user);
  await waitFor(() => expect(sent()).toMatchObject({ renewsCalendar: true }));
  await waitFor(() => expect(onRenewed).toHaveBeenCalledOnce());
});

it('a new password leaves the calendar when that is unticked', async () => {
  const onRenewed = vi.fn();
  render(
    <Providers>
      <AccountSecurity email="ann@market.test" calendar={{ onRenewed }} />
    </Providers>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('checkbox', { name: /Give my calendar a new address/ }));
  await changePassword(user);
  await waitFor(() => expect(sent()).toMatchObject({ renewsCalendar: false }));
  await waitFor(() =>
    expect((screen.getByLabelText(/^Current password/) as HTMLInputElement).value).toBe(''),
  );
  expect(onRenewed).not.toHaveBeenCalled();
});

it('asks nobody who has no calendar', async () => {
  render(
    <Providers>
      <AccountSecurity email="ann@market.test" />
    </Providers>,
  );
  await screen.findByText('Where you are signed in');
  expect(screen.queryByRole('checkbox')).toBeNull();
});
