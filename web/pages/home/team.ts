import type { Likeness } from './Portrait.tsx';

/** A team member; `profile` is the URL of an external page. */
export type Member = {
  name: string;
  work: string;
  words: string;
  profile: string;
  likeness: Likeness;
};

/** The members of the team. */
export const team: readonly Member[] = [
  {
    name: 'Maya Lindgren',
    work: 'Founder',
    words: 'Grew up picking pears in the Hood River valley and never quite left the orchard.',
    profile: 'https://www.example.org/people/maya-lindgren',
    likeness: {
      ground: 'var(--color-ground-straw)',
      skin: '#e0a77e',
      hair: '#5b3a22',
      shirt: '#2c6b39',
      head: 'bun',
    },
  },
  {
    name: 'Tomás Herrera',
    work: 'Farmer relations',
    words: 'Visits every farm before its first product goes up, usually in the rain.',
    profile: 'https://www.example.org/people/tomas-herrera',
    likeness: {
      ground: 'var(--color-ground-leaf)',
      skin: '#b97a4f',
      hair: '#2a1d14',
      shirt: '#b8452d',
      head: 'hat',
    },
  },
  {
    name: 'Priya Raman',
    work: 'Engineering',
    words: 'Makes sure an accepted order reaches you before the farmer has put the phone away.',
    profile: 'https://www.example.org/people/priya-raman',
    likeness: {
      ground: 'var(--color-ground-sky)',
      skin: '#9a623c',
      hair: '#1f1611',
      shirt: '#d4921f',
      head: 'bob',
    },
  },
  {
    name: 'Owen Clarke',
    work: 'Deliveries',
    words: 'Knows every back road of the county and which of them floods.',
    profile: 'https://www.example.org/people/owen-clarke',
    likeness: {
      ground: 'var(--color-ground-clay)',
      skin: '#efc3a0',
      hair: '#a4532a',
      shirt: '#3f6f9c',
      head: 'beard',
    },
  },
  {
    name: 'Grace Abara',
    work: 'Community',
    words: 'Answers the letters, and cooks what is in season to be sure of her advice.',
    profile: 'https://www.example.org/people/grace-abara',
    likeness: {
      ground: 'var(--color-ground-plum)',
      skin: '#6b432a',
      hair: '#17100c',
      shirt: '#7c4f86',
      head: 'cap',
    },
  },
];
