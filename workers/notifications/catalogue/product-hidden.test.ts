import { expect, it } from 'vitest';
import { withWords } from '../../testing/words.ts';
import { effectsOf } from '../definitions.ts';

const hidingChanged = (reason: string | null, name = 'Carrots') =>
  withWords(
    effectsOf({
      seq: 1,
      id: '00000000-0000-4000-8000-0000000000a1',
      at: '2026-11-22T10:00:00.000Z',
      requestId: null,
      rooms: [],
      name: 'product.hidingChanged',
      data: { _id: 'p', name, farmer: 'f', reason, version: 4 },
    }),
  );

it('notifies the farmer that a product was hidden, with the reason', () => {
  expect(hidingChanged('Not from this farm.')).toMatchObject([
    {
      do: 'notify',
      userId: 'f',
      key: 'product.hidden:p:4',
      title: 'Carrots was hidden',
      body: expect.stringContaining('Reason: Not from this farm.'),
      link: '/farmer/products/edit/p',
    },
  ]);
});

it('notifies the farmer that it is shown again, once for each change', () => {
  expect(hidingChanged(null)).toMatchObject([
    { userId: 'f', key: 'product.hidden:p:4', title: 'Carrots is no longer hidden' },
  ]);
});

it('names a product of an unreadable name in words', () => {
  expect(hidingChanged(null, '\u200B')).toMatchObject([{ title: 'A product is no longer hidden' }]);
});
