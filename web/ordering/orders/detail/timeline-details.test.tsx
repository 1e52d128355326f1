// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ProposalEntry } from '#contract/ordering/orders/order-timeline';
import { Differences } from './OrderTimeline.tsx';

afterEach(cleanup);

it.each([
  [{}, '₨15.00 instead of ₨20.00'],
  [{ isAfterEstimate: true }, '≈ ₨15.00 instead of ₨20.00'],
  [{ isBeforeEstimate: true }, '₨15.00 instead of ≈ ₨20.00'],
  [{ isBeforeEstimate: true, isAfterEstimate: true }, '≈ ₨15.00 instead of ≈ ₨20.00'],
] as const)('marks the totals of a change that were estimates: %j', (over, words) => {
  const detail = { differences: [], totalBefore: 20, totalAfter: 15, ...over };
  const { container } = render(<Differences {...(detail as unknown as ProposalEntry['detail'])} />);
  expect(container.textContent).toBe(words);
});
