// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { StockAlert } from './StockAlert.tsx';

const signInAs = (role: 'consumer' | 'farmer' | 'admin' | null) => {
  store.set(tokenAtom, role && aToken);
  store.set(userAtom, role && aUser(role));
};

afterEach(() => {
  cleanup();
  signInAs(null);
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const ID = '22222222-0000-4000-8000-000000000001';
const LABEL = "Tell me when it's back";

/**
 * Renders the button for a server that stores what it receives, or refuses it. @returns the calls that change something
 */
function show({ isSet = false, refused }: { isSet?: boolean; refused?: Promise<Reply> } = {}) {
  let kept = isSet;
  const calls = stubNetwork({
    [`GET /products/${ID}/alert`]: () => ({
      status: 200,
      body: { success: true, data: { isSet: kept } },
    }),
    [`PUT /products/${ID}/alert`]: ({ body }) => {
      if (refused) return refused;
      kept = (body as { isSet: boolean }).isSet;
      return { status: 200, body: { success: true, data: { isSet: kept } } };
    },
  });
  render(<StockAlert productId={ID} />, { wrapper: Providers });
  return () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
}
const isPressed = () => screen.getByRole('button', { name: LABEL }).getAttribute('aria-pressed');

it('is pressed and pressed again by a customer, and says what follows', async () => {
  signInAs('consumer');
  const changes = show();
  screen.getByText('One message, as soon as there is some.');
  fireEvent.click(screen.getByRole('button', { name: LABEL }));
  await screen.findByText("We'll send you one message.");
  await waitFor(() => expect(changes()).toEqual([{ isSet: true }]));
  await waitFor(() => expect(isPressed()).toBe('true'));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: LABEL }).getAttribute('aria-busy')).toBeNull(),
  );
  fireEvent.click(screen.getByRole('button', { name: LABEL }));
  await waitFor(() => expect(changes()).toEqual([{ isSet: true }, { isSet: false }]));
  await screen.findByText('One message, as soon as there is some.');
});

it('shows what was set before, and takes back what was refused', async () => {
  signInAs('consumer');
  let refuse = (_reply: Reply) => {};
  show({ isSet: true, refused: new Promise((resolve) => (refuse = resolve)) });
  await waitFor(() => expect(isPressed()).toBe('true'));
  fireEvent.click(screen.getByRole('button', { name: LABEL }));
  await waitFor(() => expect(isPressed()).toBe('false'));
  refuse(refusal(409, 'Kale is in stock again.'));
  await waitFor(() => expect(isPressed()).toBe('true'));
});

it('leads a visitor to the sign-in, and is pressed once afterwards', async () => {
  window.history.replaceState(null, '', `/products/${ID}`);
  show();
  const next = encodeURIComponent(`/products/${ID}?alert=on`);
  expect(screen.getByRole('link', { name: LABEL }).getAttribute('href')).toBe(
    `/login?next=${next}`,
  );
  cleanup();
  window.history.replaceState(null, '', `/products/${ID}?alert=on`);
  signInAs('consumer');
  const changes = show();
  await screen.findByText("We'll send you one message.");
  await waitFor(() => expect(isPressed()).toBe('true'));
  expect(window.location.search).toBe('');
  expect(changes()).toEqual([{ isSet: true }]);
});

it.each(['farmer', 'admin'] as const)('is not there for a %s', (role) => {
  signInAs(role);
  const changes = show();
  expect(screen.queryByText(LABEL)).toBeNull();
  expect(changes()).toEqual([]);
});
