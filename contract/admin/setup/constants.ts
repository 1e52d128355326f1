import type { Calls } from '#contract/platform/http/constants/http';

/** Method and path of each call; `#contract/admin/setup/setup` has the endpoints with their schemas. */
export const setupApi = {
  state: { method: 'GET', path: '/setup' },
  setUp: { method: 'POST', path: '/setup' },
} as const satisfies Calls;

/** Categories that a new market can begin with, each with a drawing in the client. */
export const READY_CATEGORIES = [
  {
    key: 'vegetables',
    name: 'Vegetables',
    description: 'Roots, fruits and pods from the field, picked this week.',
    icon: '🥕',
  },
  {
    key: 'fruit',
    name: 'Fruit & Berries',
    description: 'From the orchard, the patch and the vine, ripe when it is sold.',
    icon: '🍎',
  },
  {
    key: 'dairy',
    name: 'Dairy & Eggs',
    description: 'Milk, butter, cheese and eggs of animals that go outside.',
    icon: '🥚',
  },
  {
    key: 'greens',
    name: 'Greens & Herbs',
    description: 'Leaves and stems, cut to order.',
    icon: '🌿',
  },
  {
    key: 'pantry',
    name: 'Pantry',
    description: 'Honey, syrup, bread, flour and preserves that keep.',
    icon: '🍯',
  },
  {
    key: 'flowers',
    name: 'Flowers',
    description: 'Grown in the open, cut at dawn.',
    icon: '🌻',
  },
] as const;

/** The key of a ready category. */
export type ReadyCategoryKey = (typeof READY_CATEGORIES)[number]['key'];

export const READY_CATEGORY_KEYS: readonly ReadyCategoryKey[] = READY_CATEGORIES.map(
  ({ key }) => key,
);
