// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { TextDialog } from './TextDialog.tsx';

function open(over: Partial<Parameters<typeof TextDialog>[0]> = {}) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  const dialog = (more: typeof over = {}) => (
    <TextDialog
      title="Suspend Ada?"
      draftKey="suspend:ada"
      description="Until you restore the account."
      label="Reason"
      hint="Ada reads it."
      maxLength={100}
      confirmLabel="Suspend"
      pendingLabel="Suspending..."
      pending={false}
      onClose={onClose}
      onConfirm={onConfirm}
      {...over}
      {...more}
    />
  );
  const { rerender } = render(dialog());
  return { onConfirm, onClose, update: (more: typeof over) => rerender(dialog(more)) };
}

const field = () => screen.getByRole('textbox', { name: /^Reason/ });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('confirms with the text, without spaces around it, or with none', async () => {
  const { onConfirm } = open();
  await press('Suspend');
  await userEvent.type(field(), '  Spam \n');
  await press('Suspend');
  expect(onConfirm.mock.calls).toEqual([[''], ['Spam']]);
});

it('says what is missing where a text is required, until something is typed', async () => {
  const { onConfirm } = open({ missing: 'Say why.' });
  await userEvent.type(field(), '  ');
  await press('Suspend');
  expect(screen.getByText('Say why.')).toBeDefined();
  await userEvent.type(field(), 'Spam');
  expect(screen.queryByText('Say why.')).toBeNull();
  await press('Suspend');
  expect(onConfirm.mock.calls).toEqual([['Spam']]);
});

it('can be left, but not while it is on its way, and is sent once', async () => {
  const { onConfirm, onClose, update } = open();
  await userEvent.type(field(), 'Spam');
  update({ pending: true });
  await press('Cancel');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: /Suspend/ }));
  expect(onConfirm).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
  update({ pending: false });
  await press('Cancel');
  expect(onClose).toHaveBeenCalledOnce();
  expect((field() as HTMLTextAreaElement).value).toBe('Spam');
});
