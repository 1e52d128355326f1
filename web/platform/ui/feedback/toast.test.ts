import { expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { dismissNetworkToast, registerToaster, toast, toastError } from './toast.ts';

const noAnswer = () => new ApiError('No answer.', { status: 0, code: 'NETWORK' });

it('shows one toast for all missing answers, none that is out of date, and the rest in order', () => {
  vi.stubGlobal('navigator', { onLine: true });
  toastError(noAnswer());
  dismissNetworkToast();
  toast.success('Saved.');
  const shown: unknown[] = [];
  const show = (message: string, options?: object) =>
    shown.push(options ? [message, options] : message);
  const dismiss = vi.fn();
  registerToaster({ success: show, error: show, info: show, warning: show, dismiss });
  expect(shown).toEqual(['Saved.']);

  toastError(noAnswer());
  toastError(noAnswer());
  toastError(new ApiError('Not enough stock.', { status: 409, code: 'OUT_OF_STOCK' }));
  expect(shown.slice(1)).toEqual([
    ['No answer.', { id: 'no-answer', duration: 8_000 }],
    ['No answer.', { id: 'no-answer', duration: 8_000 }],
    'Not enough stock.',
  ]);
  dismissNetworkToast();
  expect(dismiss).toHaveBeenCalledWith('no-answer');
  vi.unstubAllGlobals();
});
