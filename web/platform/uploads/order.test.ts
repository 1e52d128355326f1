import { expect, it } from 'vitest';
import { moved } from './PictureTiles.tsx';

it.each([
  ['to the right', 0, 2, 'bca'],
  ['to the left', 2, 0, 'cab'],
  ['to where it is', 1, 1, 'abc'],
  ['past the end', 0, 9, 'bca'],
  ['before the start', 1, -1, 'bac'],
  ['from nowhere', 7, 0, 'abc'],
])('moves %s', (_, from, to, expected) => {
  expect(moved([...'abc'], from, to).join('')).toBe(expected);
});

it('returns the same list when nothing moved', () => {
  const list = ['a', 'b'];
  expect(moved(list, 0, 0)).toBe(list);
  expect(moved(list, 5, 0)).toBe(list);
});
