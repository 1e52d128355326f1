import { ADMINS, type Definition, settle } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';

/** Notifies a farm of what an admin decided about it. */
const farmApproval: Definition<'farm.approval'> = {
  kind: 'farm.approval',
  reach: 'market',
  concerns: 'changeFarm',
  action: 'See your farm',
  reactions: {
    'farm.approvalChanged': ({ id, data: { _id, name, state, reason } }) => {
      if (state !== 'approved' && state !== 'sent_back') return [];
      const farm = nameInText(name, 'Your farm');
      return [
        {
          do: 'notify',
          userId: _id,
          kind: 'farm.approval',
          key: `farm.approval:${id}`,
          ...(state === 'approved'
            ? {
                title: 'Your farm is open',
                body: `${farm} is in the market now. Customers find you and can order.`,
              }
            : {
                title: 'Your farm needs a change',
                body: `An admin has looked at ${farm}. It isn't in the market for now.${because(reason ?? undefined)}`,
              }),
          link: '/farmer/dashboard',
        },
      ];
    },
  },
};

/** Where admins see the farm among those that wait. */
const linkOf = (id: string): string => `/admin/farms?farm=${id}`;

/** Notifies admins that a farm asks for approval, until one of them has decided. */
const farmWaiting: Definition<'farm.waiting'> = {
  kind: 'farm.waiting',
  reach: 'unsolicited',
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
      state === 'waiting' ? [] : [settle(ADMINS, linkOf(_id), 'farm.waiting')],
  },
};

/** By kind. */
export const farmApprovals = {
  'farm.approval': farmApproval,
  'farm.waiting': farmWaiting,
};
