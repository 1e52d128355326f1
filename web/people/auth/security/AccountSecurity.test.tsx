// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setReader } from '#contract/platform/text/constants/reader';
import { Providers } from '../../../app/Providers.tsx';
import { loadCatalogue } from '../../../platform/format/catalogues.ts';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  emptyList,
  stubNetwork,
} from '../../../platform/testing/network.ts';
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
  setReader(() => undefined);
});

const sent = () => calls.find(({ method }) => method === 'PUT')?.body;

function open(onRenewed?: () => void) {
  const calendar = onRenewed && { onRenewed };
  render(<AccountSecurity email="ann@market.test" calendar={calendar} />, { wrapper: Providers });
}
async function changePassword(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Current password/), 'password123');
  await userEvent.type(screen.getByLabelText(/^New password/), 'another one');
  await userEvent.type(screen.getByLabelText(/^Repeat new password/), 'another one');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
}
const box = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: /Give my calendar a new address/ });

it('a new password renews the address of the calendar, which is ticked', async () => {
  const onRenewed = vi.fn();
  open(onRenewed);
  expect(box().checked).toBe(true);
  await changePassword();
  await waitFor(() => expect(sent()).toMatchObject({ renewsCalendar: true }));
  await waitFor(() => expect(onRenewed).toHaveBeenCalledOnce());
});

it('a new password leaves the calendar when that is unticked', async () => {
  const onRenewed = vi.fn();
  open(onRenewed);
  await userEvent.click(box());
  await changePassword();
  await waitFor(() => expect(sent()).toMatchObject({ renewsCalendar: false }));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>(/^Current password/).value).toBe(''),
  );
  expect(onRenewed).not.toHaveBeenCalled();
});

it('asks nobody who has no calendar', async () => {
  open();
  await screen.findByText('Where you are signed in');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('says in the language of its reader what is wrong', async () => {
  const { reader, whenWhole } = await loadCatalogue('de');
  await whenWhole;
  setReader(() => reader);
  open();
  await userEvent.type(screen.getByLabelText(/^Neues Passwort(?! wied)/), 'another one');
  await userEvent.type(screen.getByLabelText(/^Neues Passwort wiederholen/), 'one more');
  await userEvent.click(screen.getByRole('button', { name: 'Passwort ändern' }));
  await screen.findByText('Die Passwörter stimmen nicht überein');
});
