import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** The features of a drawn portrait. */
type Likeness = {
  ground: string;
  skin: string;
  hair: string;
  shirt: string;
  head: 'cap' | 'bun' | 'beard' | 'hat' | 'bob';
};

/** A decorative portrait of a team member. */
function Portrait({ ground, skin, hair, shirt, head }: Likeness) {
  const behind: Partial<Record<Likeness['head'], ReactNode>> = {
    bun: <circle cx="60" cy="20" r="11" fill={hair} />,
    bob: <path d="M34 50a26 28 0 0 1 52 0v28c-8 5-44 5-52 0z" fill={hair} />,
  };
  const before: Record<Likeness['head'], ReactNode> = {
    cap: (
      <>
        <path d="M39 48a21 21 0 0 1 42 0z" fill={hair} />
        <path d="M37 44a23 22 0 0 1 46 0z" fill={shirt} />
        <path d="M60 44h34c0-5-6-8-14-8z" fill={shirt} />
      </>
    ),
    bun: <path d="M38 52c-1-18 9-27 22-27s23 9 22 27c-4-10-10-14-22-14s-18 4-22 14z" fill={hair} />,
    beard: (
      <>
        <path d="M38 48c0-15 9-23 22-23s22 8 22 23c-5-8-11-11-22-11s-17 3-22 11z" fill={hair} />
        <path d="M39 56c1 18 9 27 21 27s20-9 21-27c-5 8-9 9-21 9s-16-1-21-9z" fill={hair} />
      </>
    ),
    hat: (
      <>
        <path d="M41 42c1-14 8-22 19-22s18 8 19 22z" fill="var(--scene-wheat)" />
        <ellipse cx="60" cy="42" rx="36" ry="7.5" fill="var(--scene-wheat)" />
        <path d="M42 39h36" stroke={shirt} strokeWidth="5" />
      </>
    ),
    bob: (
      <path d="M37 54c0-18 9-28 24-28s22 11 22 28c-7-5-10-9-12-15-6 8-18 13-34 15z" fill={hair} />
    ),
  };
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" className="block w-full rounded">
      <rect width="120" height="120" fill={`var(--color-ground-${ground})`} />
      {behind[head]}
      <path d="M18 120c2-22 18-31 42-31s40 9 42 31z" fill={shirt} />
      <path d="M51 70h18v18c0 6-4 10-9 10s-9-4-9-10z" fill={skin} />
      <ellipse cx="60" cy="55" rx="21" ry="25" fill={skin} />
      {before[head]}
      <circle cx="52" cy="56" r="2.2" fill="#2b2016" />
      <circle cx="68" cy="56" r="2.2" fill="#2b2016" />
      <path
        d="M54 68c4 3.5 8 3.5 12 0"
        fill="none"
        stroke="#2b2016"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The members of the team. */
const members = [
  {
    name: 'Maya Lindgren',
    work: 'Founder',
    words: 'Grew up picking pears in the Hood River valley and never quite left the orchard.',
    profile: 'https://www.example.org/people/maya-lindgren',
    likeness: { ground: 'straw', skin: '#e0a77e', hair: '#5b3a22', shirt: '#2c6b39', head: 'bun' },
  },
  {
    name: 'Tomás Herrera',
    work: 'Farmer relations',
    words: 'Visits every farm before its first product goes up, usually in the rain.',
    profile: 'https://www.example.org/people/tomas-herrera',
    likeness: { ground: 'leaf', skin: '#b97a4f', hair: '#2a1d14', shirt: '#b8452d', head: 'hat' },
  },
  {
    name: 'Priya Raman',
    work: 'Engineering',
    words: 'Makes sure an accepted order reaches you before the farmer has put the phone away.',
    profile: 'https://www.example.org/people/priya-raman',
    likeness: { ground: 'sky', skin: '#9a623c', hair: '#1f1611', shirt: '#d4921f', head: 'bob' },
  },
  {
    name: 'Owen Clarke',
    work: 'Deliveries',
    words: 'Knows every back road of the county and which of them floods.',
    profile: 'https://www.example.org/people/owen-clarke',
    likeness: { ground: 'clay', skin: '#efc3a0', hair: '#a4532a', shirt: '#3f6f9c', head: 'beard' },
  },
  {
    name: 'Grace Abara',
    work: 'Community',
    words: 'Answers the letters, and cooks what is in season to be sure of her advice.',
    profile: 'https://www.example.org/people/grace-abara',
    likeness: { ground: 'plum', skin: '#6b432a', hair: '#17100c', shirt: '#7c4f86', head: 'cap' },
  },
] as const;

/** The people of Farmgate. A market of another name has its own, and writes of them itself. */
export const Team = () => (
  <section aria-labelledby="team" className="wrap">
    <h2 id="team" className="mb-8 text-3xl">
      The team
    </h2>
    <ul className="grid gap-x-4 gap-y-8 sm:grid-cols-2 lg:grid-cols-5">
      {members.map(({ name, work, words, profile, likeness }) => (
        <li key={name} className="grid grid-cols-[6rem_1fr] content-start gap-4 lg:grid-cols-1">
          <Portrait {...likeness} />
          <div className="grid content-start gap-1">
            <h3 className="font-semibold">{name}</h3>
            <p className="text-sm text-ink-soft">{work}</p>
            <p className="mt-1 text-sm">{words}</p>
            <a
              href={profile}
              target="_blank"
              rel="noreferrer"
              className="link mt-1 inline-flex min-h-9 w-fit items-center gap-1 text-sm pointer-coarse:min-h-11"
            >
              Profile<span className="sr-only"> of {name}, opens in a new tab</span>
              <ArrowUpRight className="size-4" />
            </a>
          </div>
        </li>
      ))}
    </ul>
  </section>
);
