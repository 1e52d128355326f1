// @vitest-environment happy-dom

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import type { NumberLimits } from '#contract/platform/text/constants/typed-numbers';
import { NumberField } from '../form/fields.tsx';
import { Form, useZodForm } from '../form/form.tsx';

afterEach(() => void setMarket(DEFAULT_MARKET));

const schema = z.object({ price: z.number('No number').nullable() });

function Example({
  sent,
  ...rest
}: {
  step: number;
  limits: NumberLimits;
  isOptional: boolean;
  sent: (number | null)[];
}) {
  const form = useZodForm(schema, { defaultValues: { price: 1.25 } });
  return (
    <Form form={form} onSubmit={({ price }) => sent.push(price)}>
      <NumberField form={form} name="price" label="Price" {...rest} />
      <button type="submit">Save</button>
      <button type="button" onClick={() => form.reset({ price: 1234.5 })}>
        Reset
      </button>
    </Form>
  );
}

function open({ step = 0.5, limits = { min: 0 } as NumberLimits, isOptional = false } = {}) {
  const sent: (number | null)[] = [];
  render(<Example step={step} limits={limits} isOptional={isOptional} sent={sent} />);
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
  await expect.poll(() => sent).toEqual([2.5]);
  await type('1e3');
  await save();
  await screen.findByText('No number');
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
  await expect.poll(() => sent).toEqual([0.5]);
});

it('is written and read as the market writes numbers', async () => {
  setMarket({ ...DEFAULT_MARKET, locale: 'de-DE' });
  const { input, sent, type, save } = open();
  expect(input.value).toBe('1,25');
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(input.value).toBe('1234,5');
  await type('1.200');
  expect([input.value, input.getAttribute('aria-valuenow')]).toEqual(['1.200', '1200']);
  await userEvent.type(input, '{ArrowDown}');
  expect(input.value).toBe('1199,5');
  await type('١٢٫٥');
  await save();
  await expect.poll(() => sent).toEqual([12.5]);
});

it('asks which of two numbers is meant, where only the less likely one fits', async () => {
  const { input, sent, type, save } = open({ limits: { decimals: 2, min: 0 } });
  await type('1.200');
  expect(screen.getByRole('alert').textContent).toContain('Is it 1.2 or 1,200?');
  await save();
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '1,200' }));
  expect([input.value, screen.queryByRole('alert')]).toEqual(['1200', null]);
  await save();
  await expect.poll(() => sent).toEqual([1200]);
});

it('is null where it may be empty, and is', async () => {
  const { input, sent, save } = open({ isOptional: true });
  await userEvent.clear(input);
  await save();
  await expect.poll(() => sent).toEqual([null]);
});
