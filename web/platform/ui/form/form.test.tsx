// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { ApiError, CONNECTION_RESTORED } from '../../api/api-error.ts';
import { Input } from '../fields/Field.tsx';
import { Button } from '../primitives/Button.tsx';
import { EndTimeField } from './fields.tsx';
import { Form, FormError, FormField, useZodForm } from './form.tsx';

const Box = z.object({
  name: z.string().min(1, 'Name is required'),
  place: z.object({ city: z.string().min(1, 'City is required') }),
});

type Box = z.infer<typeof Box>;

function BoxForm({
  onSubmit,
  box = { name: '', place: { city: '' } },
}: {
  onSubmit: (values: Box, show: (saved: Box) => void) => unknown;
  box?: Box;
}) {
  const form = useZodForm(Box, { defaultValues: box });
  return (
    <Form form={form} onSubmit={onSubmit} label="Box">
      <FormError form={form} />
      <FormField form={form} name="name" label="Name">
        {(field) => <Input {...field} />}
      </FormField>
      <FormField form={form} name="place.city" label="City">
        {(field) => <Input {...field} />}
      </FormField>
      <Button type="submit">Save</Button>
      {form.formState.isDirty && <p>Not saved yet</p>}
    </Form>
  );
}

/** The elements that were scrolled to. */
function watchScrolling(): Element[] {
  const scrolledTo: Element[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo.push(this);
  });
  return scrolledTo;
}

afterEach(() => void vi.restoreAllMocks());

it('scrolls to the first error, even if its field has the focus already, and counts the others', async () => {
  const scrolledTo = watchScrolling();
  render(<BoxForm onSubmit={() => undefined} />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  const city = screen.getByRole('textbox', { name: 'City' });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(scrolledTo).toEqual([name]));
  expect(document.activeElement).toBe(name);
  const line = screen.getByRole('button', { name: '2 fields need attention' });

  // The line leads back to the first error.
  city.focus();
  await userEvent.click(line);
  expect(scrolledTo).toEqual([name, name]);
  expect(document.activeElement).toBe(name);

  await userEvent.type(name, 'Beets');
  await screen.findByRole('button', { name: '1 field needs attention' });
  city.focus();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(scrolledTo).toEqual([name, name, city]));
});

it('says nothing of errors before the form was submitted', async () => {
  render(<BoxForm onSubmit={() => undefined} />);
  await userEvent.click(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.tab();
  expect(await screen.findByText('Name is required')).toBeDefined();
  expect(screen.queryByRole('button', { name: /attention/ })).toBeNull();
});

it('shows where the server found an error, at a field or at none', async () => {
  const scrolledTo = watchScrolling();
  const refuse = vi.fn();
  render(<BoxForm onSubmit={refuse} />);
  const city = screen.getByRole('textbox', { name: 'City' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Beets');
  await userEvent.type(city, 'Nowhere');
  const failure = { status: 400, code: 'INVALID' };

  refuse.mockImplementation(() => {
    throw new ApiError('Not here.', {
      ...failure,
      errors: [{ path: 'place.city', message: 'No such city' }],
    });
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('No such city')).toBeDefined();
  await waitFor(() => expect(scrolledTo).toEqual([city]));
  expect(document.activeElement).toBe(city);

  refuse.mockImplementation(() => {
    throw new ApiError('Not here.', failure);
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(scrolledTo.at(-1)?.textContent).toBe('Not here.'));
  expect(screen.queryByRole('button', { name: /attention/ })).toBeNull();
});

it('shows no missing answer any more once the connection is back, until the next one', async () => {
  const send = vi.fn(() => {
    throw new ApiError("You're offline.", { status: 0, code: 'NETWORK' });
  });
  render(<BoxForm onSubmit={send} />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Beets');
  await userEvent.type(screen.getByRole('textbox', { name: 'City' }), 'Putney');
  const save = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect((await screen.findByRole('alert')).textContent).toBe("You're offline.");
  window.dispatchEvent(new Event('online'));
  expect((await screen.findByRole('status')).textContent).toBe(CONNECTION_RESTORED.text);
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(save);
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect((await screen.findByRole('alert')).textContent).toBe("You're offline.");
});

it('shows what was saved, and keeps what was typed meanwhile as not saved', async () => {
  let answer: () => void = () => {};
  const sent: object[] = [];
  const save = async (values: Box, show: (saved: Box) => void) => {
    sent.push(values);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    show({ ...values, name: values.name.trim() });
  };
  render(<BoxForm onSubmit={save} box={{ name: 'crate', place: { city: 'Bath' } }} />);
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const city = screen.getByRole<HTMLInputElement>('textbox', { name: 'City' });
  await userEvent.type(name, ' of wood ');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.type(city, ', Maine');
  answer();
  await waitFor(() => expect(name.value).toBe('crate of wood'));
  expect(city.value).toBe('Bath, Maine');
  expect(screen.queryByText('Not saved yet')).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ name: 'crate of wood', place: { city: 'Bath, Maine' } });
  answer();
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
});

const Hours = z.object({ to: z.string().min(1, 'Choose a time.') });

function HoursForm({
  midnight,
  onSubmit,
}: {
  midnight: '24:00' | '00:00';
  onSubmit: (values: z.infer<typeof Hours>) => void;
}) {
  const form = useZodForm(Hours, { defaultValues: { to: '18:00' } });
  return (
    <Form form={form} onSubmit={onSubmit} label="Hours">
      <EndTimeField form={form} name="to" label="Closes" midnight={midnight} required />
      <Button type="submit">Save</Button>
    </Form>
  );
}

it.each(['24:00', '00:00'] as const)(
  'takes an end at midnight, which it says as %s',
  async (midnight) => {
    const onSubmit = vi.fn();
    render(<HoursForm midnight={midnight} onSubmit={onSubmit} />);
    const time = screen.getByLabelText<HTMLInputElement>(/^Closes/);
    const choice = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Until midnight' });
    const saved = async () => {
      onSubmit.mockClear();
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(onSubmit).toHaveBeenCalled());
      return onSubmit.mock.calls[0]?.[0];
    };
    await userEvent.click(choice);
    expect([time.value, choice.checked]).toEqual(['00:00', true]);
    expect(await saved()).toEqual({ to: midnight });
    // What was there before comes back.
    await userEvent.click(choice);
    expect([time.value, choice.checked]).toEqual(['18:00', false]);
    // Hours that end at 00:00 end at midnight.
    fireEvent.change(time, { target: { value: '00:00' } });
    expect(choice.checked).toBe(true);
    expect(await saved()).toEqual({ to: midnight });
    fireEvent.change(time, { target: { value: '' } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Choose a time.');
    expect(time.getAttribute('aria-invalid')).toBe('true');
    expect(choice.checked).toBe(false);
  },
);
