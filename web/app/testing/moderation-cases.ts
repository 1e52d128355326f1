import type { LoggedEventName } from '#contract/platform/events/event';
import {
  adminStatsQuery,
  notesQuery,
  reportsQuery,
  userNotesQuery,
} from '../../admin/admin/queries.ts';
import { usersQuery } from '../../people/users/queries.ts';
import type { Case } from './case.ts';
import { admin, consumer, farmer, note, orderId, report } from './world.ts';

/** The events about other admins' work. */
export const moderationCases = {
  'user.suspensionChanged': {
    me: admin,
    shows: [usersQuery(), usersQuery({ state: 'suspended' })],
    data: { _id: consumer._id, isSuspended: true },
    happens: (world) => ({
      ...world,
      users: world.users.map((item) =>
        item._id === consumer._id ? { ...item, isSuspended: true } : item,
      ),
    }),
  },
  'user.noteAdded': {
    me: admin,
    shows: [userNotesQuery(farmer._id)],
    data: { _id: note(2)._id, user: farmer._id },
    happens: (world) => ({ ...world, notes: [...world.notes, note(2)] }),
  },
  'report.changed': {
    me: admin,
    shows: [reportsQuery(), adminStatsQuery()],
    data: { _id: report(2)._id },
    happens: (world) => ({ ...world, reports: [...world.reports, report(2)] }),
  },
  'order.noteAdded': {
    me: admin,
    shows: [notesQuery(orderId(1))],
    data: { _id: note(2)._id, order: orderId(1) },
    happens: (world) => ({ ...world, notes: [...world.notes, note(2)] }),
  },
} satisfies { [Name in LoggedEventName]?: Case<Name> };
