// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { StatusCounts } from '#contract/ordering/orders/orders';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { StatusShares } from './StatusShares.tsx';

afterEach(cleanup);

const counts: StatusCounts = { pending: 1, accepted: 2, rejected: 3, completed: 4, cancelled: 5 };
const PATTERN = /\b(dotted|hatched|hatched-back|lined)\b(?!-)/;

it('distinguishes all statuses without colour, in the bar as in the legend', () => {
  const { container } = render(<StatusShares counts={counts} />);
  const patternsOf = (selector: string) =>
    [...container.querySelectorAll(selector)].map(
      (part) => PATTERN.exec(part.className)?.[1] ?? 'plain',
    );
  const bar = patternsOf('[data-keeps-colours] > span');
  expect(bar).toHaveLength(ORDER_STATUSES.length);
  expect(new Set(bar).size).toBe(ORDER_STATUSES.length);
  expect(patternsOf('dt > span[aria-hidden]')).toEqual(bar);
});

it('leaves a status without orders out of the bar, and keeps it in the legend', () => {
  const { container } = render(<StatusShares counts={{ ...counts, rejected: 0 }} />);
  expect(container.querySelectorAll('[data-keeps-colours] > span')).toHaveLength(4);
  expect(container.querySelectorAll('dt')).toHaveLength(5);
});
