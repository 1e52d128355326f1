// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { WeightField } from './WeightField.tsx';

afterEach(cleanup);

function Example({ told }: { told: number[][] }) {
  const [text, setText] = useState('');
  return (
    <WeightField
      text={text}
      onTextChange={setText}
      onEnter={(weights) => told.push(weights)}
      unit="kg"
      label="Weight of the chickens"
    />
  );
}

function open() {
  const told: number[][] = [];
  render(<Example told={told} />);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Weight of the chickens' });
  const plus = screen.getByRole<HTMLButtonElement>('button', {
    name: 'Add another weight: Weight of the chickens',
  });
  return { told, input, plus };
}

it('tells several weights at Enter and shows their sum', async () => {
  const { told, input } = open();
  await userEvent.type(input, '0.61+0,625');
  expect(screen.getByText('2 weights, 1.235 kg together')).toBeTruthy();
  await userEvent.type(input, '{Enter}');
  expect(told).toEqual([[0.61, 0.625]]);
});

it('tells nothing that it cannot read, and says so', async () => {
  const { told, input } = open();
  await userEvent.type(input, '1.2kg{Enter}');
  expect(told).toEqual([]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  await userEvent.clear(input);
  await userEvent.type(input, '1+{Enter}');
  expect(told).toEqual([]);
  // Another weight is to come; nothing is wrong.
  expect(input.getAttribute('aria-invalid')).toBeNull();
});

it('has a button for the plus that phones do not have, and keeps the focus in the field', async () => {
  const { told, input, plus } = open();
  expect(plus.disabled).toBe(true);
  await userEvent.type(input, '1.2');
  await userEvent.click(plus);
  expect(document.activeElement).toBe(input);
  await userEvent.keyboard('0.8{Enter}');
  expect(told).toEqual([[1.2, 0.8]]);
});
