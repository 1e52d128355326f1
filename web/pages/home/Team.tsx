import { ArrowUpRight } from 'lucide-react';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import portraits from './team.svg?no-inline';

/** The people of Farmgate, and where they are until an admin says where they really are. */
export const members = [
  {
    name: 'Maya Lindgren',
    work: msg('Founder'),
    words: msg('Grew up picking pears in the Hood River valley and never quite left the orchard.'),
    profile: 'https://www.example.org/people/maya-lindgren',
    portrait: 'maya',
  },
  {
    name: 'Tomás Herrera',
    work: msg('Farmer relations'),
    words: msg('Visits every farm before its first product goes up, usually in the rain.'),
    profile: 'https://www.example.org/people/tomas-herrera',
    portrait: 'tomas',
  },
  {
    name: 'Priya Raman',
    work: msg('Engineering'),
    words: msg(
      'Makes sure an accepted order reaches you before the farmer has put the phone away.',
    ),
    profile: 'https://www.example.org/people/priya-raman',
    portrait: 'priya',
  },
  {
    name: 'Owen Clarke',
    work: msg('Deliveries'),
    words: msg('Knows every back road of the county and which of them floods.'),
    profile: 'https://www.example.org/people/owen-clarke',
    portrait: 'owen',
  },
  {
    name: 'Grace Abara',
    work: msg('Community'),
    words: msg('Answers the letters, and cooks what is in season to be sure of her advice.'),
    profile: 'https://www.example.org/people/grace-abara',
    portrait: 'grace',
  },
];

/** A market of another name has people of its own, and writes of them itself. */
export const hasTeam = (market: string): boolean => market === DEFAULT_MARKET.name;

/** @param links of the market, in the order of {@link members}; an empty one shows none */
export const Team = ({ links }: { links: readonly string[] }) => (
  <section aria-labelledby="team" className="wrap">
    <h2 id="team" className="mb-8 text-3xl">
      {t('The team')}
    </h2>
    <ul className="grid gap-x-4 gap-y-8 sm:grid-cols-2 lg:grid-cols-5">
      {members.map(({ name, work, words, profile, portrait }, index) => (
        <li key={name} className="grid grid-cols-[6rem_1fr] content-start gap-4 lg:grid-cols-1">
          <svg viewBox="0 0 120 120" aria-hidden="true" className="block w-full rounded">
            <use href={`${portraits}#${portrait}`} />
          </svg>
          <div className="grid content-start gap-1">
            <h3 translate="no" className="font-semibold">
              {name}
            </h3>
            <p className="text-sm text-ink-soft">{writeMessage(work)}</p>
            <p className="mt-1 text-sm">{writeMessage(words)}</p>
            <Profile name={name} href={links[index] ?? profile} />
          </div>
        </li>
      ))}
    </ul>
  </section>
);

const Profile = ({ name, href }: { name: string; href: string }) =>
  href === '' ? null : (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="link mt-1 inline-flex min-h-9 w-fit items-center gap-1 text-sm pointer-coarse:min-h-11"
    >
      {rich('Profile<span> of {name}, opens in a new tab</span>', {
        name,
        span: (inner) => <span className="sr-only">{inner}</span>,
      })}
      <ArrowUpRight className="size-4" />
    </a>
  );
