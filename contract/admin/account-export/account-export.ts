import { accountExportApi as calls } from '#contract/admin/account-export/constants';
import {
  REPORT_KINDS,
  REPORT_OUTCOMES,
  REPORT_REASONS,
} from '#contract/admin/moderation/constants';
import { FOLLOW_STATES } from '#contract/catalogue/follows/constants';
import { Product } from '#contract/catalogue/products/product';
import { FarmProfile } from '#contract/farm/farmers/farmers';
import { Message } from '#contract/farm/messages/messages';
import { Place } from '#contract/farm/places/places';
import { FarmSchedule } from '#contract/farm/schedule/schedule';
import { FarmPayment } from '#contract/money/payment/payment';
import { Order } from '#contract/ordering/orders/orders';
import { UserAddress } from '#contract/people/addresses/addresses';
import { Notification, Preferences } from '#contract/people/notifications/notifications';
import { User } from '#contract/people/users/users';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Id, Instant, named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** What a market keeps about a farm, for its owners. */
const ExportedFarm = named('ExportedFarm', {
  _id: Id,
  profile: FarmProfile,
  places: z.array(Place),
  schedule: FarmSchedule,
  payment: FarmPayment,
  products: z.array(Product),
  /** The orders it received, each as its people see it. */
  orders: z.array(Order),
});

/** Everything that a market keeps about a person, in the forms of its other calls. */
export const AccountExport = named('AccountExport', {
  exportedAt: Instant,
  market: z.string(),
  account: User,
  emailVerifiedAt: Instant.nullable(),
  phoneVerifiedAt: Instant.nullable(),
  /** Since when a mail server refuses the email, and its reply. */
  emailUnreachable: z.object({ since: Instant, reply: z.string() }).nullable(),
  /** Changes of the email that can still be undone, or wait for their confirmation, the newest first. */
  emailChanges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      createdAt: Instant,
      confirmedAt: Instant.nullable(),
    }),
  ),
  /** Null for who opened the account before there were terms. */
  termsAcceptedAt: Instant.nullable(),
  lastSeenAt: Instant.nullable(),
  addresses: z.array(UserAddress),
  preferences: Preferences,
  /** The products and farms that the person follows or has followed, the latest first. */
  follows: z.array(
    z.object({
      product: Id.nullable(),
      farm: Id.nullable(),
      name: z.string(),
      since: Instant,
      state: z.enum(FOLLOW_STATES),
      toldAt: Instant.nullable(),
      expiresAt: Instant,
    }),
  ),
  sessions: z.array(
    z.object({
      device: z.string(),
      createdAt: Instant,
      lastSeenAt: Instant,
      expiresAt: Instant,
    }),
  ),
  passkeys: z.array(
    z.object({ device: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() }),
  ),
  /** Browsers that get push messages. */
  pushSubscriptions: z.array(z.object({ endpoint: z.string(), createdAt: Instant })),
  uploads: z.array(z.object({ address: z.string(), createdAt: Instant })),
  /** The orders the person placed, newest first. */
  orders: z.array(Order),
  /** What the person wrote and was written, newest first. */
  messages: z.array(Message),
  notifications: z.array(Notification),
  /** What the person reported, newest first. */
  reports: z.array(
    z.object({
      kind: z.enum(REPORT_KINDS),
      subject: Id,
      name: z.string(),
      reason: z.enum(REPORT_REASONS),
      text: z.string(),
      createdAt: Instant,
      settledAt: Instant.nullable(),
      outcome: z.enum(REPORT_OUTCOMES).nullable(),
    }),
  ),
  /** What an admin wrote about orders. */
  orderNotes: z.array(z.object({ order: Id, content: z.string(), createdAt: Instant })),
  /** What an admin did. */
  adminActions: z.array(z.object({ action: z.string(), target: z.string(), at: Instant })),
  /** The alerts of a farm that the person has seen, or said of that they are on it. */
  alerts: z.array(
    z.object({
      kind: z.string(),
      order: Id.nullable(),
      createdAt: Instant,
      seenAt: Instant.nullable(),
      acknowledgedAt: Instant.nullable(),
    }),
  ),
  /** The farm the person owns, alone or with others; null for none. */
  farm: ExportedFarm.nullable(),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const accountExportApi = endpoints(calls, {
  read: {
    summary: 'Everything the market keeps about the signed-in user, as a file',
    access: ROLES,
    answer: AccountExport,
    rate: 'exports',
  },
});
