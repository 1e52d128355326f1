// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { z } from '#contract/zod';
import { decimalField } from '../../lib/decimal.ts';
import { Form, FormField, useZodForm } from '../form.tsx';
import { DecimalInput } from './DecimalInput.tsx';

afterEach(cleanup);

const schema = z.object({ price: z.number('No number') });

function Example({ step, sent }: { step: number; sent: number[] }) {
  const form = useZodForm(schema, { defaultValues: { price: 1.25 } });
  return (
    <Form form={form} onSubmit={({ price }) => sent.push(price)}>
      <FormField form={form} name="price" label="Price" registerOptions={decimalField}>
        {(field) => <DecimalInput min={0} step={step} {...field} />}
      </FormField>
      <button type="submit">Save</button>
    </Form>
  );
}

function open(step = 0.5) {
  const sent: number[] = [];
  render(<Example step={step} sent={sent} />);
  const input = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Price' });
  const type = async (text: string) => {
    await userEvent.clear(input);
    await userEvent.type(input, text);
  };
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
  return { input, sent, type, save };
}

it('shows the number of the form, also to screen readers', async () => {
  const { input, type } = open();
  expect(input.value).toBe('1.25');
  expect(input.getAttribute('aria-valuenow')).toBe('1.25');
  await type('2,5');
  expect(input.getAttribute('aria-valuenow')).toBe('2.5');
  await type('two');
  expect(input.hasAttribute('aria-valuenow')).toBe(false);
});

it('gives the form a number for a dot and a comma, and none for what is no number', async () => {
  const { sent, type, save } = open();
  await type('2,5');
  await save();
  await expect.poll(() => sent, { timeout: 30_000 }).toEqual([2.5]);
  await type('1e3');
  await save();
  await screen.findByText('No number', {}, { timeout: 30_000 });
  expect(sent).toEqual([2.5]);
});

it('goes up and down by its step with the arrow keys, and not below its least', async () => {
  const { input, sent, save } = open();
  await userEvent.type(input, '{ArrowUp}');
  expect(input.value).toBe('1.5');
  await userEvent.type(input, '{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(input.value).toBe('0');
  await userEvent.type(input, '{ArrowUp}');
  await save();
  await expect.poll(() => sent, { timeout: 30_000 }).toEqual([0.5]);
});
