// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { useFocusRecovery } from './InUse.tsx';

function Cart() {
  useFocusRecovery();
  const [lines, setLines] = useState(['Beets', 'Corn']);
  const [isAnswered, setAnswered] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <a href="#line">{line}</a>
            <button type="button" onClick={() => setLines(lines.filter((each) => each !== line))}>
              Remove {line}
            </button>
          </li>
        ))}
      </ul>
      <article>
        <a href="#order">Order</a>
        {!isAnswered && (
          <button type="button" onClick={() => setAnswered(true)}>
            Accept
          </button>
        )}
      </article>
    </main>
  );
}

const press = async (name: string) => {
  screen.getByRole('button', { name }).focus();
  await userEvent.keyboard('{Enter}');
};

it('moves the focus on when the focused line is removed, and to the page after the last', async () => {
  render(<Cart />);
  await press('Remove Beets');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Corn'));
  await press('Remove Corn');
  await waitFor(() => expect(document.activeElement?.id).toBe('main'));
});

it('stays in the row whose button is gone', async () => {
  render(<Cart />);
  await press('Accept');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Order'));
});

it('leaves the focus alone that was given up on purpose', async () => {
  render(<Cart />);
  const remove = screen.getByRole('button', { name: 'Remove Beets' });
  remove.focus();
  remove.blur();
  await Promise.resolve();
  remove.click();
  await waitFor(() => expect(remove.isConnected).toBe(false));
  expect(document.activeElement).toBe(document.body);
});

function Notified() {
  useFocusRecovery();
  const [isShown, setShown] = useState(true);
  return (
    <main id="main" tabIndex={-1}>
      <button type="button">Accept</button>
      {isShown && (
        <ol data-sonner-toaster="">
          <li>
            <button type="button" onClick={() => setShown(false)}>
              Undo
            </button>
          </li>
        </ol>
      )}
    </main>
  );
}

it('gives the focus back when a toast goes that has it', async () => {
  render(<Notified />);
  screen.getByRole('button', { name: 'Accept' }).focus();
  await press('Undo');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Accept'));
});

it('leaves the focus alone that has left a toast before it goes', async () => {
  render(<Notified />);
  const undo = screen.getByRole('button', { name: 'Undo' });
  screen.getByRole('button', { name: 'Accept' }).focus();
  undo.focus();
  document.getElementById('main')?.focus();
  await Promise.resolve();
  undo.click();
  await waitFor(() => expect(undo.isConnected).toBe(false));
  expect(document.activeElement?.id).toBe('main');
});
