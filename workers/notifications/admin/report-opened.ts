import type { ReportKind } from '#contract/admin/moderation/constants';
import { ADMINS, type Definition } from '../engine/definition.ts';

const TITLES: Record<ReportKind, string> = {
  product: 'A product was reported',
  farm: 'A farm was reported',
  message: 'A message was reported',
  order: 'Somebody was reported for an order',
};

const linkOf = (id: string): string => `/admin/reports?report=${id}`;

/** Notifies admins of what was reported, until it is settled. */
export const reportOpened: Definition<'report.opened'> = {
  kind: 'report.opened',
  action: 'See the report',
  subject: ({ title }) => title,
  digest: (count) => `${count} reports wait for you`,
  reactions: {
    'report.opened': ({ data: { _id, kind, isMailed } }) => [
      {
        do: 'notify',
        userId: ADMINS,
        kind: 'report.opened',
        key: `report.opened:${_id}`,
        title: TITLES[kind],
        body: 'Take a look and decide what to do.',
        link: linkOf(_id),
        // An older server does not say, and mails.
        isMailed: isMailed !== false,
      },
    ],
    'report.settled': ({ data: { _id } }) => [
      { do: 'settle', userId: ADMINS, links: [linkOf(_id)], kinds: ['report.opened'] },
    ],
  },
};
