// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { Form, FormField, useZodForm } from '../form/form.tsx';
import { PasswordInput } from './PasswordInput.tsx';

const schema = z.object({ password: z.string().min(1, 'Password is required') });

function Example({ sent }: { sent: string[] }) {
  const form = useZodForm(schema, { defaultValues: { password: '' } });
  return (
    <Form form={form} onSubmit={({ password }) => sent.push(password)}>
      <FormField form={form} name="password" label="Your password" required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <button type="submit">Save</button>
    </Form>
  );
}

function open() {
  const sent: string[] = [];
  render(<Example sent={sent} />);
  return {
    sent,
    // One element alone has the label: the switch does not answer to it.
    input: screen.getByLabelText<HTMLInputElement>(/password/i),
    toggle: screen.getByRole('button', { name: 'Show password' }),
    save: () => userEvent.click(screen.getByRole('button', { name: 'Save' })),
  };
}

it('shows and hides what is typed, and says so to assistive technology', async () => {
  const { input, toggle } = open();
  expect(input.type).toBe('password');
  expect(toggle.getAttribute('aria-pressed')).toBe('false');
  expect(toggle.getAttribute('aria-controls')).toBe(input.id);
  const label = document.getElementById(toggle.getAttribute('aria-describedby') ?? '');
  expect(label?.textContent).toContain('Your password');

  await userEvent.type(input, 'secret word');
  await userEvent.click(toggle);
  expect(input.type).toBe('text');
  expect(input.value).toBe('secret word');
  expect(toggle.getAttribute('aria-pressed')).toBe('true');
  expect(toggle.textContent).toBe('Show password');

  await userEvent.click(toggle);
  expect(input.type).toBe('password');
  expect(toggle.getAttribute('aria-pressed')).toBe('false');
});

it('keeps the focus and the caret in the input when it is pressed', async () => {
  const { input, toggle } = open();
  await userEvent.type(input, 'secret');
  input.setSelectionRange(2, 4);
  await userEvent.click(toggle);
  expect(document.activeElement).toBe(input);
  expect([input.selectionStart, input.selectionEnd]).toEqual([2, 4]);
  // No field has been left, so none is checked yet.
  expect(screen.queryByRole('alert')).toBeNull();
});

it('keeps the focus on the switch when it is used by keyboard', async () => {
  const { input, toggle } = open();
  input.focus();
  await userEvent.tab();
  expect(document.activeElement).toBe(toggle);
  await userEvent.keyboard(' ');
  expect(input.type).toBe('text');
  expect(document.activeElement).toBe(toggle);
});

it('stays a password to browsers and password managers while it is shown', async () => {
  const { input, toggle } = open();
  await userEvent.click(toggle);
  expect(input.type).toBe('text');
  expect(input.autocomplete).toBe('current-password');
  expect(input.name).toBe('password');
  expect(input.getAttribute('spellcheck')).toBe('false');
  expect(input.getAttribute('autocapitalize')).toBe('none');
});

it('hides the password when the form is submitted, and sends what was typed', async () => {
  const { input, toggle, sent, save } = open();
  await userEvent.type(input, 'secret word');
  await userEvent.click(toggle);
  expect(input.type).toBe('text');
  expect(sent).toEqual([]);
  await save();
  await expect.poll(() => sent).toEqual(['secret word']);
  expect(input.type).toBe('password');
  expect(toggle.getAttribute('aria-pressed')).toBe('false');
});
