import type { Attention } from '#contract/ordering/attention/attention';
import type { LoggedEventName } from '#contract/platform/events/event';
import { attentionQuery, planQuery } from '../../ordering/attention/queries.ts';
import { anAttention } from '../../platform/testing/attentions.ts';
import { at, type Case, farmer, id, member, person, type World } from './world.ts';

// Three wait before each event.

const attention = (number: number, over: Partial<Attention> = {}) =>
  anAttention(number, { createdAt: at(number), ...over });

/** One of them becomes another, or goes. */
const becomes = (after: Attention): Case<'attention.changed'> => ({
  me: farmer,
  shows: [attentionQuery()],
  data: after,
  happens: (world) => ({
    ...world,
    attentions: [...world.attentions.filter(({ _id }) => _id !== after._id), after].filter(
      ({ state }) => state !== 'resolved',
    ),
  }),
});

const acknowledged = attention(2, {
  state: 'acknowledged',
  acknowledged: { by: person(farmer), at: at(5) },
  rings: [],
  version: 2,
});

/** A case for each event about what waits. */
export const attentionCases = {
  'attention.changed': becomes(acknowledged),
  'attention.tried': {
    me: farmer,
    shows: [attentionQuery()],
    data: { at: at(1) },
    happens: (world: World) => world,
  } satisfies Case<'attention.tried'>,
};

/** Further cases, by what they are called. */
export const moreAttentionCases: [name: string, event: LoggedEventName, each: unknown][] = [
  ['an attention that begins', 'attention.changed', becomes(attention(4))],
  [
    'an attention that is done',
    'attention.changed',
    becomes(attention(1, { state: 'resolved', rings: [], version: 3 })),
  ],
  [
    'an attention that nobody answered',
    'attention.changed',
    becomes(attention(3, { state: 'exhausted', rings: [], step: 4, round: 2, version: 9 })),
  ],
  [
    'a change of who works for the farm',
    'member.changed',
    {
      me: farmer,
      shows: [planQuery()],
      data: { _id: id(1) },
      happens: (world: World) => ({ ...world, members: [...world.members, member(2, null)] }),
    },
  ],
  [
    'a change of the plan',
    'farmer.updated',
    {
      me: farmer,
      shows: [planQuery()],
      data: { _id: farmer._id },
      happens: (world: World) => ({ ...world, farmDescription: 'Another plan.' }),
    },
  ],
];
