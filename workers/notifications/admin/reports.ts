import type { ReportKind, ReportOutcome } from '#contract/admin/moderation/constants';
import { ADMINS, type Definition, settle } from '../engine/definition.ts';

const TITLES: Record<ReportKind, string> = {
  product: 'A product was reported',
  farm: 'A farm was reported',
  message: 'A message was reported',
  order: 'Somebody was reported for an order',
};

const linkOf = (id: string): string => `/admin/reports?report=${id}`;

/** Notifies admins of what was reported, until it is settled. */
const reportOpened: Definition<'report.opened'> = {
  kind: 'report.opened',
  reach: 'unsolicited',
  action: 'See the report',
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
    'report.settled': ({ data: { _id } }) => [settle(ADMINS, linkOf(_id), 'report.opened')],
  },
};

const NAMES: Record<ReportKind, string> = {
  product: 'the product',
  farm: 'the farm',
  message: 'the message',
  order: 'the order',
};

const BODIES: Record<ReportOutcome, (name: string) => string> = {
  acted: (name) => `We looked at ${name} you reported and did something about it. Thank you.`,
  dismissed: (name) =>
    `We looked at ${name} you reported and left it as it is. Thank you for telling us.`,
};

/** Returns where to see what was reported; what was acted upon may be gone, then its list. */
function linkOfSubject(
  kind: ReportKind,
  subject: string,
  about: string,
  outcome: ReportOutcome,
): string {
  switch (kind) {
    case 'product':
      return outcome === 'acted' ? '/products' : `/products/${subject}`;
    case 'farm':
      return outcome === 'acted' ? '/farmers' : `/farmers/${subject}`;
    case 'message':
      return `/messages/${about}`;
    case 'order':
      return `/orders/${subject}`;
  }
}

/** Notifies the person who reported something that admins have looked at it. */
const reportSettled: Definition<'report.settled'> = {
  kind: 'report.settled',
  reach: 'market',
  action: 'Take a look',
  subject: () => 'We looked at your report',
  digest: (count) => `We looked at ${count} of your reports`,
  reactions: {
    'report.settled': ({ data: { _id, kind, subject, about, reporter, outcome } }) => [
      {
        do: 'notify',
        userId: reporter,
        kind: 'report.settled',
        key: `report.settled:${_id}`,
        title: 'We looked at your report',
        body: BODIES[outcome](NAMES[kind]),
        link: linkOfSubject(kind, subject, about, outcome),
      },
    ],
  },
};

/** By kind. */
export const reportKinds = {
  'report.opened': reportOpened,
  'report.settled': reportSettled,
};
