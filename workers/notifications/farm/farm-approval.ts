import { msg, t } from '#contract/platform/text/constants/texts';
import { ADMINS, type Definition, settle } from '../engine/definition.ts';

/** Notifies a farm of what an admin decided about it. */
const farmApproval: Definition<'farm.approval'> = {
  kind: 'farm.approval',
  reach: 'market',
  concerns: 'changeFarm',
  action: msg('See your farm'),
  reactions: {
    'farm.approvalChanged': ({ id, data: { _id, state, reason } }) => {
      if (state !== 'approved' && state !== 'sent_back') return [];
      return [
        {
          do: 'notify',
          userId: _id,
          kind: 'farm.approval',
          key: `farm.approval:${id}`,
          params: {
            farm: { _id },
            isApproved: state === 'approved',
            reason: reason ?? undefined,
          },
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
  action: msg('See the farm'),
  subject: () => t('A farm asks to join your market'),
  digest: (count) =>
    t(
      '{count, plural, one {# farm asks to join your market} other {# farms ask to join your market}}',
      { count },
    ),
  reactions: {
    'farm.waiting': ({ id, data: { _id, isMailed } }) => [
      {
        do: 'notify',
        userId: ADMINS,
        kind: 'farm.waiting',
        key: `farm.waiting:${id}`,
        params: { farm: { _id } },
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
