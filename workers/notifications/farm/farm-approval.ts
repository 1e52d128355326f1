import type { Definition } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';

/** Notifies a farm of what an admin decided about it. */
export const farmApproval: Definition<'farm.approval'> = {
  kind: 'farm.approval',
  concerns: 'changeFarm',
  action: 'See your farm',
  subject: ({ title }) => title,
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
