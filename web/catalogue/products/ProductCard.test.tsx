// @vitest-environment happy-dom

import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Handoff } from '#contract/farm/farmers/farmers';
import { ProductCard, StockNote } from './ProductCard.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T08:00:00Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const saturdays: Handoff = {
  pickup: true,
  delivery: false,
  deliveryRadius: null,
  openings: [{ days: ['saturday'], open: '08:00', close: '14:00' }],
  timeZone: 'UTC',
  cutoff: { daysBefore: 1, time: '18:00' },
  closedDays: [],
};
const show = (handoff: Handoff, withFarm = true, over: object = {}) => {
  const address = { street: '', city: 'Putney', state: 'VT', zipCode: '05346' };
  const product = {
    _id: 'carrots',
    name: 'Carrots',
    price: 2,
    unit: 'kg',
    quantityAvailable: 50,
    images: [],
    isOrganic: false,
    category: null,
    farmer: { _id: 'farm', name: 'Ann', farmName: 'Hill Farm', address, handoff },
    ...over,
  } as unknown as Product;
  return (
    <ProductCard
      product={product}
      withFarm={withFarm}
      action={<button type="button">Add</button>}
    />
  );
};

it('says the next pickup, and another one when the farm closes that day', () => {
  const { rerender } = render(show(saturdays));
  screen.getByText('Next pickup Sat 8 AM–2 PM');
  rerender(show({ ...saturdays, closedDays: ['2026-11-28'] }));
  screen.getByText('Next pickup Sat, Dec 5 8 AM–2 PM');
});

it('says from when on a paused farm takes orders again, by its clock, and offers it then without a reload', () => {
  // 8 AM of the next day in Karachi.
  const paused = { pausedUntil: '2026-11-27T03:00:00.000Z', timeZone: 'Asia/Karachi' };
  render(show({ ...saturdays, ...paused }));
  screen.getByText('Takes orders again from 8 AM tomorrow');
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
  act(() => vi.advanceTimersByTime(19 * 3_600_000));
  expect(screen.queryByText(/Takes orders again/)).toBeNull();
  screen.getByRole('button', { name: 'Add' });
});

it('says no next pickup of a farm that lists no hours', () => {
  render(show({ ...saturdays, openings: [], cutoff: null }));
  expect(screen.queryByText(/^Next/)).toBeNull();
});

it('does not repeat on the page of a farm whose product it is', () => {
  const { rerender } = render(show(saturdays));
  for (const text of ['Hill Farm', 'Putney, VT', 'Sat 8 AM']) screen.getByText(text);
  rerender(show(saturdays, false));
  for (const text of ['Hill Farm', 'Putney, VT', 'Sat 8 AM', /^Next pickup/])
    expect(screen.queryByText(text)).toBeNull();
  screen.getByRole('link', { name: 'Carrots' });
});

it('says on one line where and when the next pickup is, of several places too', () => {
  const spot = (town: string, openings: Handoff['openings']) => ({ town, openings });
  const places = [
    spot('Taxila', saturdays.openings),
    spot('Islamabad', [{ days: ['friday'], open: '16:00', close: '18:00' }]),
  ];
  render(show({ ...saturdays, cutoff: null, places }));
  for (const text of ['Islamabad', '4 PM tomorrow']) screen.getByText(text);
  screen.getByText('2 places, next: Islamabad, 4 PM tomorrow');
  expect(screen.queryByText('Putney, VT')).toBeNull();
});

it('shows the drawing of its category where it has no picture', () => {
  const { props } = show(saturdays) as { props: { product: Product } };
  const category = { _id: 'c', name: 'Vegetables', icon: '🥕' };
  const { container, rerender } = render(<ProductCard product={{ ...props.product, category }} />);
  expect(container.querySelector('use')?.getAttribute('href')).toContain('#carrot');
  expect(container.querySelector('img')).toBeNull();
  rerender(<ProductCard product={{ ...props.product, category, images: ['/uploads/a.webp'] }} />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/uploads/a.webp');
  // An older server tells no icon.
  rerender(<ProductCard product={{ ...props.product, category: { _id: 'c', name: 'Fruit' } }} />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/placeholder.svg');
});

it('is read out as a heading and statements of their own', () => {
  render(show(saturdays));
  const card = screen.getByRole('article');
  // Each in a paragraph, which screen readers stop between; the two of the pickup are for narrow and wide screens.
  const lines = [...card.querySelectorAll('h3, p')].map(({ textContent }) => textContent);
  expect(lines).toEqual([
    'Carrots',
    expect.stringContaining('per kg'),
    'Hill Farm',
    'Putney, VTSat 8 AM',
    'Next pickup Sat 8 AM–2 PM',
    '',
  ]);
});

const stocked = (quantityAvailable: number, over: Partial<Product> = {}) =>
  ({ quantityAvailable, unit: 'kg', ...over }) as Product;

it.each([
  [10, {}, ''],
  [3, {}, 'Only 3 kg left'],
  [1.3, { step: 0.1 }, 'Only 1.3 kg left'],
  [0, {}, 'Sold out'],
  // Less than can be ordered at once is sold out for customers.
  [0.4, { step: 0.1, minimum: 0.5 }, 'Sold out'],
  [0.9, {}, 'Sold out'],
  [19, { minimum: 20 }, 'Sold out'],
])('says of %d left in %o: %s', (left, steps, text) => {
  const { container } = render(<StockNote product={stocked(left, steps)} />);
  expect(container.textContent).toBe(text);
});

describe('what no day for which one can order brings', () => {
  const none = 'Not available on any open day';

  it('is not offered, with no next pickup, and says so', () => {
    const { rerender } = render(show(saturdays, true, { availableUntil: '2026-11-28' }));
    screen.getByRole('button', { name: 'Add' });
    screen.getByText('Next pickup Sat 8 AM–2 PM');
    expect(screen.queryByText(none)).toBeNull();
    rerender(show(saturdays, true, { availableUntil: '2026-11-27' }));
    screen.getByText(none);
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
    expect(screen.queryByText(/^Next pickup/)).toBeNull();
    // The farm delivers on other days than it is open at its places.
    const delivers = { ...saturdays, delivery: true };
    const ownOpenings: Handoff['openings'] = [{ days: ['friday'], open: '08:00', close: '12:00' }];
    rerender(show({ ...delivers, ownOpenings }, true, { availableUntil: '2026-11-27' }));
    screen.getByRole('button', { name: 'Add' });
  });

  it('is not offered once the cut-off has passed, while the card is open', () => {
    vi.setSystemTime('2026-11-27T17:59:30Z');
    render(show(saturdays, false, { availableUntil: '2026-11-28' }));
    screen.getByRole('button', { name: 'Add' });
    act(() => void vi.advanceTimersByTime(60_000));
    screen.getByText(none);
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
  });

  it('is all there is at a farm that is closed as far ahead as it takes orders', () => {
    render(show({ ...saturdays, bookableDays: 7, closedDays: ['2026-11-28'] }, false));
    screen.getByText(none);
  });
});

it('says from which price on a product is sold in sizes, and that all are sold out', () => {
  const size = { _id: 's', label: '5 kg', content: 5, price: 9, isActive: true };
  const { rerender } = render(show(saturdays, true, { price: 9, sizes: [size] }));
  expect(screen.getByRole('article').textContent).toContain('from ₨9.00');
  expect(screen.getByRole('article').textContent).not.toContain('per kg');
  rerender(show(saturdays, true, { price: 9, sizes: [size], quantityAvailable: 4.9 }));
  screen.getByText('Sold out');
});

it('says what is counted in the words of its farm, with what a kilogram costs', () => {
  const jam = {
    ...{ unit: 'each', price: 500, quantityAvailable: 3 },
    ...{ unitLabel: { one: 'jar', other: 'jars' }, net: { amount: 250, unit: 'g' } },
  };
  render(show(saturdays, true, jam));
  const text = screen.getByRole('article').textContent?.replaceAll(/[\u2068\u2069]/g, '');
  expect(text).toContain('₨500.00 per jar');
  expect(text).toContain('Only 3 jars left');
});

it('shows no figure of what is always there', () => {
  render(show(saturdays, true, { availability: 'always', quantityAvailable: 1_000_000 }));
  expect(screen.getByRole('article').textContent).not.toMatch(/left|000/);
});
