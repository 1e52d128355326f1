// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import type { Steps } from '#contract/platform/quantities/constants/steps';
import { QuantityInput } from './QuantityInput.tsx';

afterEach(() => {
  cleanup();
  setMarket(DEFAULT_MARKET);
});

function Example({ steps, max, first }: { steps?: Steps; max?: number; first: number }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <QuantityInput
        label="Quantity"
        value={value}
        onChange={setValue}
        {...(steps && { steps })}
        max={max}
      />
      <output>{value}</output>
    </>
  );
}

function open(example: Parameters<typeof Example>[0]) {
  render(<Example {...example} />);
  const input = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity' });
  return {
    input,
    more: screen.getByRole<HTMLButtonElement>('button', { name: 'One more: Quantity' }),
    less: screen.getByRole<HTMLButtonElement>('button', { name: 'One less: Quantity' }),
    value: () => screen.getByRole('status').textContent,
    type: async (text: string) => {
      await userEvent.clear(input);
      await userEvent.type(input, text);
    },
  };
}

describe('in whole units', () => {
  it('goes from one to the stock', async () => {
    const { input, less, more, value, type } = open({ first: 1, max: 7 });
    expect([input.getAttribute('aria-valuemin'), input.getAttribute('aria-valuemax')]).toEqual([
      '1',
      '7',
    ]);
    expect([input.type, input.inputMode]).toEqual(['text', 'numeric']);
    await userEvent.type(input, '{ArrowUp}{ArrowUp}{ArrowDown}{ArrowDown}');
    expect(value()).toBe('1');
    expect(less.disabled).toBe(true);
    await userEvent.click(more);
    expect(value()).toBe('2');
    await type('99');
    await userEvent.tab();
    expect([value(), input.value]).toEqual(['7', '7']);
    expect(more.disabled).toBe(true);
  });
});

describe('in steps', () => {
  const steps = { step: 0.25, minimum: 0.5 };

  it('goes by the step from the smallest order to the largest that can be ordered', async () => {
    const { input, less, more, value } = open({ steps, first: 0.5, max: 1 });
    expect(less.disabled).toBe(true);
    expect(input.getAttribute('aria-valuemin')).toBe('0.5');
    await userEvent.click(more);
    expect(value()).toBe('0.75');
    await userEvent.click(more);
    expect([value(), input.value]).toEqual(['1', '1']);
    expect(more.disabled).toBe(true);
    await userEvent.type(input, '{ArrowDown}');
    expect(value()).toBe('0.75');
    await userEvent.type(input, '{ArrowUp}{ArrowUp}');
    expect(value()).toBe('1');
  });

  it.each([
    ['1,5', '1.5'],
    ['1.5', '1.5'],
    // The nearest, once the field is left.
    ['1.3', '1.25'],
    ['0', '0.5'],
    ['٢٫٥', '2.5'],
    ['99', '10'],
    // What cannot be read changes nothing.
    ['1e3', '1'],
    ['kilo', '1'],
  ])('makes of %j %s', async (typed, quantity) => {
    const { input, value, type } = open({ steps, first: 1, max: 10 });
    await type(typed);
    await userEvent.tab();
    expect([value(), input.value]).toEqual([quantity, quantity]);
  });

  it('asks what is meant where only the less likely number can be ordered', async () => {
    const { input, value, type } = open({ steps, first: 1, max: 10 });
    await type('1,200');
    await userEvent.tab();
    expect([value(), input.value]).toEqual(['1', '1,200']);
    await userEvent.click(screen.getByRole('button', { name: '1.2' }));
    expect([value(), input.value]).toEqual(['1.25', '1.25']);
  });

  it('is written and read as the market writes numbers', async () => {
    setMarket({ ...DEFAULT_MARKET, locale: 'id-ID' });
    const { input, value, type } = open({ steps, first: 1.5, max: 5000 });
    expect(input.value).toBe('1,5');
    await type('1.200');
    await userEvent.tab();
    expect([value(), input.value]).toEqual(['1200', '1200']);
  });

  it('takes Enter for the end of typing', async () => {
    const { value, type } = open({ steps, first: 1, max: 10 });
    await type('2,6{Enter}');
    expect(value()).toBe('2.5');
  });

  it('comes from a quantity between two steps to the next one', async () => {
    const { less, value } = open({ steps, first: 1.3, max: 10 });
    await userEvent.click(less);
    expect(value()).toBe('1.25');
  });
});
