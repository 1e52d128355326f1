import type { ReportKind, ReportOutcome } from '#contract/admin/moderation/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import { ADMINS, type Definition, settle } from '../engine/definition.ts';

const linkOf = (id: string): string => `/admin/reports?report=${id}`;

/** Notifies admins of what was reported, until it is settled. */
const reportOpened: Definition<'report.opened'> = {
  kind: 'report.opened',
  reach: 'unsolicited',
  action: msg('See the report'),
  digest: (count) =>
    t('{count, plural, one {# report waits for you} other {# reports wait for you}}', { count }),
  reactions: {
    'report.opened': ({ data: { _id, kind, isMailed } }) => [
      {
        do: 'notify',
        userId: ADMINS,
        kind: 'report.opened',
        key: `report.opened:${_id}`,
        params: { reported: kind },
        link: linkOf(_id),
        // An older server does not say, and mails.
        isMailed: isMailed !== false,
      },
    ],
    'report.settled': ({ data: { _id } }) => [settle(ADMINS, linkOf(_id), 'report.opened')],
  },
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
  action: msg('Take a look'),
  subject: () => t('We looked at your report'),
  digest: (count) =>
    t('We looked at {count, plural, one {# of your reports} other {# of your reports}}', { count }),
  reactions: {
    'report.settled': ({ data: { _id, kind, subject, about, reporter, outcome } }) => [
      {
        do: 'notify',
        userId: reporter,
        kind: 'report.settled',
        key: `report.settled:${_id}`,
        params: { reported: kind, outcome },
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
