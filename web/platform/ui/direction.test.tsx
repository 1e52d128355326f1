// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Gallery } from '../../catalogue/products/Gallery.tsx';
import { useDirection } from './direction.ts';
import { Tabs } from './lists/Tabs.tsx';

const turn = (dir: 'ltr' | 'rtl' | '') =>
  act(async () => {
    document.documentElement.dir = dir;
  });
beforeEach(() => turn('rtl'));
afterEach(() => turn(''));

function Shown() {
  return <output>{useDirection()}</output>;
}

it('follows the direction of the page', async () => {
  render(<Shown />);
  expect(screen.getByRole('status').textContent).toBe('rtl');
  await turn('ltr');
  await screen.findByText('ltr');
});

it('moves on in the pictures by the arrow that points onwards', async () => {
  render(<Gallery images={['/a.webp', '/b.webp', '/c.webp']} name="Kale" ground="Greens" />);
  const picture = (place: number) => screen.getByRole('button', { name: `Picture ${place}` });
  picture(1).focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(picture(2));
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(picture(1));
});

it('moves on in tabs by the arrow that points onwards', async () => {
  const tabs = ['One', 'Two'].map((label) => ({ value: label, label, content: label }));
  render(<Tabs tabs={tabs} label="Parts" />);
  screen.getByRole('tab', { name: 'One' }).focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Two' }));
});
