import { z } from 'zod';
import { AdminStats, AuditRecord, Connected, FeedItem } from '#contract/admin';
import { Category } from '#contract/categories';
import { FarmerCard, FarmerDetail, FarmProfile } from '#contract/farmers';
import { Conversation, Message, ReadReceipt } from '#contract/messages';
import { Notification, Preferences } from '#contract/notifications';
import { DayFigures, FarmerStats, Order, TimelineEntry } from '#contract/orders';
import { Failure } from '#contract/platform';
import { Product } from '#contract/products';
import { UploadedImage } from '#contract/uploads';
import { Contact, Person, PersonWithRole, User } from '#contract/users';

/** What crosses the wire in more than one place: described once and named everywhere else. */
export const SHARED_SCHEMAS = {
  AdminStats,
  AuditRecord,
  Category,
  Connected,
  Contact,
  Conversation,
  DayFigures,
  Failure,
  FarmerCard,
  FarmerDetail,
  FarmerStats,
  FarmProfile,
  FeedItem,
  Message,
  Notification,
  Order,
  Person,
  PersonWithRole,
  Preferences,
  Product,
  ReadReceipt,
  TimelineEntry,
  UploadedImage,
  User,
} as const satisfies Record<string, z.ZodType>;

// The one place where the maker of the OpenAPI document looks for names.
for (const [id, schema] of Object.entries(SHARED_SCHEMAS)) z.globalRegistry.add(schema, { id });

interface Tidied {
  format?: string | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

/** Takes out what a format says already, and the bounds that every JSON number has. */
export function tidy({ jsonSchema }: { jsonSchema: Tidied }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
