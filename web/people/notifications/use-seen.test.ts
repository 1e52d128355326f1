import { expect, it } from 'vitest';
import { subjectOf } from './queries.ts';

const id = 'ABCDEF01-0000-4000-8000-000000000001';

it.each([
  ['/orders', 'order'],
  ['/admin/orders', 'order'],
  ['/products', 'product'],
  ['/farmer/products/edit', 'product'],
  ['/messages', 'conversation'],
  ['/admin/messages', 'conversation'],
])('takes what %s shows for seen, whatever the case of its id', (place, kind) => {
  expect(subjectOf(`${place}/${id}`)).toEqual({ kind, _id: id.toLowerCase() });
});

it.each(['/orders', '/farmer/products/add', '/farmers/x', '/admin/users/x', '/'])(
  'takes nothing for seen on %s',
  (path) => {
    expect(subjectOf(path)).toBeUndefined();
  },
);
