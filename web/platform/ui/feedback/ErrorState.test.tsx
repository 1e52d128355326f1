// @vitest-environment happy-dom
import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { type Connection, connectionAtom } from '../../api/connection.ts';
import { store } from '../../session/session.ts';
import { ErrorState } from './states.tsx';

const go = (state: Connection['state']) =>
  act(() => store.set(connectionAtom, { state, since: 0 }));
const error = (status: number) => new ApiError('It failed.', { status, code: 'X' });

it('tries again when the connection is back, not at the first connection', () => {
  go('connecting');
  const onRetry = vi.fn();
  render(<ErrorState error={error(0)} onRetry={onRetry} />);
  go('live');
  expect(onRetry).not.toHaveBeenCalled();
  go('offline');
  go('reconnecting');
  expect(onRetry).not.toHaveBeenCalled();
  go('live');
  expect(onRetry).toHaveBeenCalledTimes(1);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(onRetry).toHaveBeenCalledTimes(2);
});

it('tries again after it appeared while the connection was lost', () => {
  go('reconnecting');
  const onRetry = vi.fn();
  render(<ErrorState error={error(503)} onRetry={onRetry} />);
  go('live');
  expect(onRetry).toHaveBeenCalledTimes(1);
});

it('does not try again what was refused, what is on its way, or what is gone', () => {
  const onRetry = vi.fn();
  const view = render(<ErrorState error={error(404)} onRetry={onRetry} />);
  window.dispatchEvent(new Event('online'));
  view.rerender(<ErrorState error={error(0)} onRetry={onRetry} pending />);
  window.dispatchEvent(new Event('online'));
  view.unmount();
  window.dispatchEvent(new Event('online'));
  expect(onRetry).not.toHaveBeenCalled();
});
