// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { WeightField } from './WeightField.tsx';

afterEach(cleanup);

function Example({ entered }: { entered: number[][] }) {
  const [text, setText] = useState('');
  return (
    <WeightField
      text={text}
      onTextChange={setText}
      onEnter={(weights) => entered.push(weights)}
      expected={1.2}
      unit="kg"
      label="Weight of the chickens"
    />
  );
}

function open() {
  const entered: number[][] = [];
  render(<Example entered={entered} />);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Weight of the chickens' });
  const plus = screen.getByRole<HTMLButtonElement>('button', {
    name: 'Add another weight: Weight of the chickens',
  });
  return { entered, input, plus };
}

it('passes several weights on at Enter and shows their sum', async () => {
  const { entered, input } = open();
  await userEvent.type(input, '0.61+0,625');
  expect(screen.getByText('2 weights, 1.235 kg together')).toBeTruthy();
  await userEvent.type(input, '{Enter}');
  expect(entered).toEqual([[0.61, 0.625]]);
});

it('passes on nothing that it cannot read, and says so', async () => {
  const { entered, input } = open();
  await userEvent.type(input, '1.2kg{Enter}');
  expect(entered).toEqual([]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  await userEvent.clear(input);
  await userEvent.type(input, '1+{Enter}');
  expect(entered).toEqual([]);
  // Another weight is to come; nothing is wrong.
  expect(input.getAttribute('aria-invalid')).toBeNull();
});

it('has a button for the plus that phones do not have, and keeps the focus in the field', async () => {
  const { entered, input, plus } = open();
  expect(plus.disabled).toBe(true);
  await userEvent.type(input, '1.2');
  await userEvent.click(plus);
  expect(document.activeElement).toBe(input);
  await userEvent.keyboard('0.8{Enter}');
  expect(entered).toEqual([[1.2, 0.8]]);
});
