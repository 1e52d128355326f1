// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SeriesChart } from './SeriesChart.tsx';

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
});
afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.dir = '';
});

const draw = (values: readonly number[], format: (value: number) => string = String) =>
  render(
    <SeriesChart
      title="Revenue"
      points={values.map((value, day) => ({ label: `Day ${day}`, value }))}
      format={format}
    />,
  ).container;

it('draws each day by itself, and nothing between two days', () => {
  const chart = draw([100, 0, 0, 50]);
  const heights = [...chart.querySelectorAll('rect')].map((bar) =>
    Number(bar.getAttribute('height')),
  );
  expect(heights).toHaveLength(4);
  expect(heights[0]).toBeCloseTo(2 * (heights[3] ?? 0));
  // A day without a value has a mark on the axis.
  expect(heights.slice(1, 3)).toEqual([1, 1]);
  expect(chart.querySelectorAll('path, polyline')).toHaveLength(0);
});

it.each([
  ['1.2K', 48],
  ['KWD 1.2K', 72],
  ['₨1.5K', 56],
])('has room for the label %s before the bars', (label, left) => {
  const chart = draw([100, 50], () => label);
  const starts = [...chart.querySelectorAll('line')].map((line) => Number(line.getAttribute('x1')));
  expect(new Set(starts)).toEqual(new Set([left]));
  const [text] = chart.querySelectorAll('text');
  expect([text?.textContent, Number(text?.getAttribute('x'))]).toEqual([label, left - 8]);
  const [bar] = chart.querySelectorAll('rect');
  expect(Number(bar?.getAttribute('x'))).toBeGreaterThan(left);
});

it('goes the other way where one reads from the right, the axis too', () => {
  const bars = () => [...draw([100, 20, 50]).querySelectorAll('rect')];
  const boxes = () =>
    bars().map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))]);
  const before = boxes();
  document.documentElement.dir = 'rtl';
  const after = boxes();
  for (const [index, [x = 0, width = 0]] of before.entries()) {
    expect(after[index]?.[0]).toBeCloseTo(400 - x - width);
  }
  const axis = draw([100]).querySelector('line');
  expect(Number(axis?.getAttribute('x1'))).toBe(400 - 48);
});

it('draws no bar where there are no days', () => {
  expect(draw([]).querySelectorAll('rect')).toHaveLength(0);
});

it('has a table for screen readers that adds no height to the page', () => {
  const table = draw([3, 4]).querySelector('table');
  expect(table?.querySelectorAll('tbody tr')).toHaveLength(2);
  // `sr-only` on the table itself would not limit its height.
  expect(table?.closest('.sr-only')?.tagName).toBe('DIV');
});
