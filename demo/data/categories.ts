/** A category of the demo market. */
export interface DemoCategory {
  key: string;
  name: string;
  description: string;
  icon: string;
}

export const categories = [
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
] as const satisfies readonly DemoCategory[];

/** The key of a category. */
export type CategoryKey = (typeof categories)[number]['key'];
