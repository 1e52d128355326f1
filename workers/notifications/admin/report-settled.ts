import type { ReportKind, ReportOutcome } from '#contract/admin/moderation/constants';
import type { Definition } from '../engine/definition.ts';

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
function linkOf(kind: ReportKind, subject: string, about: string, outcome: ReportOutcome): string {
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

/** Notifies whoever reported something that admins have looked at it. */
export const reportSettled: Definition<'report.settled'> = {
  kind: 'report.settled',
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
        link: linkOf(kind, subject, about, outcome),
      },
    ],
  },
};
