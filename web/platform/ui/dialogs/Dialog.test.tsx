// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ConfirmDialog, Dialog } from './Dialog.tsx';

/** A list of rows, each with a button that opens a dialog; confirming removes the row. */
function Rows({ kind }: { kind: 'confirm' | 'form' }) {
  const [rows, setRows] = useState(['Beets', 'Corn', 'Figs']);
  const [asked, setAsked] = useState<string | null>(null);
  const close = () => setAsked(null);
  return (
    <div id="frame">
      <main id="main" tabIndex={-1}>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <a href="#row">{row}</a>
              <button type="button" onClick={() => setAsked(row)}>
                Delete {row}
              </button>
            </li>
          ))}
        </ul>
        {kind === 'confirm' ? (
          <ConfirmDialog
            open={asked !== null}
            onOpenChange={close}
            title="Delete?"
            confirmLabel="Yes"
            onConfirm={() => {
              setRows(rows.filter((row) => row !== asked));
              close();
            }}
          />
        ) : (
          asked && (
            <Dialog open onOpenChange={close} title="Rename">
              <input type="hidden" />
              <label>
                Name <input />
              </label>
            </Dialog>
          )
        )}
      </main>
    </div>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const focused = () => document.activeElement;

it('opens a confirmation on Cancel and returns the focus to the opener', async () => {
  render(<Rows kind="confirm" />);
  const opener = button('Delete Corn');
  await userEvent.click(opener);
  await waitFor(() => expect(focused()?.textContent).toBe('Cancel'));
  expect(document.getElementById('frame')?.hasAttribute('inert')).toBe(true);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(focused()).toBe(opener));
  expect(document.getElementById('frame')?.hasAttribute('inert')).toBe(false);

  // Again, because the opener of the first time must not be taken for that of the second.
  await userEvent.click(button('Delete Beets'));
  await userEvent.click(button('Cancel'));
  await waitFor(() => expect(focused()).toBe(button('Delete Beets')));
});

it('moves the focus to the next row when the opener is gone, or the one before, or the page', async () => {
  render(<Rows kind="confirm" />);
  for (const [gone, next] of [
    ['Corn', 'Figs'],
    ['Figs', 'Beets'],
  ]) {
    await userEvent.click(button(`Delete ${gone}`));
    await userEvent.click(button('Yes'));
    await waitFor(() => expect(focused()?.textContent).toBe(next));
  }
  await userEvent.click(button('Delete Beets'));
  await userEvent.click(button('Yes'));
  await waitFor(() => expect(focused()?.id).toBe('main'));
});

it('opens a form on its first field and returns the focus when it is unmounted', async () => {
  render(<Rows kind="form" />);
  await userEvent.click(button('Delete Figs'));
  await waitFor(() => expect(focused()).toBe(screen.getByRole('textbox', { name: 'Name' })));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(focused()).toBe(button('Delete Figs')));
});

/** A form whose place a second dialog takes once it is sent. */
function TwoSteps() {
  const [step, setStep] = useState<'closed' | 'form' | 'result'>('closed');
  const close = () => setStep('closed');
  return (
    <main id="main" tabIndex={-1}>
      <button type="button" onClick={() => setStep('form')}>
        Share
      </button>
      {step === 'form' && (
        <Dialog key="form" open onOpenChange={close} title="How much?">
          <button type="button" onClick={() => setStep('result')}>
            Send
          </button>
        </Dialog>
      )}
      {step === 'result' && (
        <Dialog key="result" open onOpenChange={close} title="It is shared">
          <p>All were asked.</p>
        </Dialog>
      )}
    </main>
  );
}

it('returns the focus to what opened the dialog that another one took the place of', async () => {
  render(<TwoSteps />);
  await userEvent.click(button('Share'));
  await userEvent.click(button('Send'));
  await screen.findByText('All were asked.');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(focused()).toBe(button('Share')));
});
