// @vitest-environment happy-dom

import { expect, it } from 'vitest';
import { unweighedNames } from '../answers/OrderActions.tsx';

it('names what is not weighed, each once', () => {
  const item = (name: string, isFinal: boolean) =>
    ({ isFinal, product: { name } }) as Parameters<typeof unweighedNames>[0]['items'][number];
  expect(
    unweighedNames({
      items: [
        item('Chicken', false),
        item('Eggs', true),
        item('Chicken', false),
        item('Duck', false),
      ],
    }),
  ).toEqual(['Chicken', 'Duck']);
});
