import { ADMINS, type Definition } from '../engine/definition.ts';
import { nameInText } from '../engine/wording.ts';

/** Where admins see the farm among those that wait. */
const linkOf = (id: string): string => `/admin/farms?farm=${id}`;

/** Notifies admins that a farm asks for approval, until one of them has decided. */
export const farmWaiting: Definition<'farm.waiting'> = {
  kind: 'farm.waiting',
  action: 'See the farm',
  subject: () => 'A farm asks to join your market',
  digest: (count) => `${count} farms ask to join your market`,
  reactions: {
    'farm.waiting': ({ id, data: { _id, name, isMailed } }) => [
      {
        do: 'notify',
        userId: ADMINS,
        kind: 'farm.waiting',
        key: `farm.waiting:${id}`,
        title: `${nameInText(name, 'A farm')} asks to join`,
        body: 'Its profile, hours and first product are there. Take a look and approve it.',
        link: linkOf(_id),
        isMailed,
      },
    ],
    'farm.approvalChanged': ({ data: { _id, state } }) =>
      state === 'waiting'
        ? []
        : [{ do: 'settle', userId: ADMINS, links: [linkOf(_id)], kinds: ['farm.waiting'] }],
  },
};
