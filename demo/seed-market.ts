import { READY_CATEGORIES } from '#contract/admin/setup/constants';
import { FOLLOW_DAYS } from '#contract/catalogue/follows/constants';
import { DEMO_CONTACT } from '#contract/platform/market/constants/choices';
import type { Database, Transaction } from '../prisma/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { namesIn } from '../server/catalogue/categories/service.ts';
import { toAllergens } from '../server/catalogue/products/present.ts';
import { setNextDay } from '../server/farm/slots/service.ts';
import { hashPassword } from '../server/people/auth/password.ts';
import type { Storage } from '../server/platform/uploads/storage.ts';
import { makeAttentions } from './attentions.ts';
import { makeConversations } from './conversations.ts';
import { type DemoFarm, type FarmKey, farmIdOf, farms, idOf } from './data/farms.ts';
import { admin, consumers, DEMO_PASSWORD } from './data/people.ts';
import { products } from './data/products.ts';
import { invited, staff } from './data/staff.ts';
import { changeOrders } from './farm-day.ts';
import { saleRow } from './goods.ts';
import { lowStockMarks, makeNotifications } from './notifications.ts';
import { type Clock, countStockMoves, type DemoOrder, makeAllOrders } from './orders.ts';
import { makePicklist } from './picklist.ts';
import { addressesOf, PICTURE_SIZE, pictures, renderMissing } from './picture-files.ts';
import { makePlaces, makeSlots } from './slots.ts';
import { before, DAY_MS, dayOf } from './times.ts';

/** The advisory lock that lets one process at a time check for an empty market and fill it. */
const SEED_LOCK_ID = 7_318_554;

/** The result of a seed. */
export interface SeedOutcome {
  /** False when the market already had accounts and was not changed. */
  wasSeeded: boolean;
  picturesRendered: number;
}

/**
 * Fills an empty market with the demo market, with dates relative to `now`. In a market with accounts it only
 * restores missing files of demo pictures. Safe to run concurrently.
 */
export async function seedMarket(
  {
    db,
    storage,
    passwordHashes = new Map(),
    timeZone = DEMO_TIME_ZONE,
  }: {
    db: Database;
    storage: Storage;
    /** By email; accounts without one get the known demo password. */
    passwordHashes?: ReadonlyMap<string, string>;
    /** The market's, which its farms have too. */
    timeZone?: string | undefined;
  },
  now = new Date(),
): Promise<SeedOutcome> {
  if (!(await isEmpty(db))) {
    const kept = await db.upload.findMany({ select: { id: true } });
    const ids = new Set(kept.map(({ id }) => id));
    const shown = pictures.filter(({ id }) => ids.has(id));
    return { wasSeeded: false, picturesRendered: await renderMissing(storage, shown) };
  }
  const [picturesRendered, rows] = await Promise.all([
    renderMissing(storage, pictures),
    makeRows({ now, timeZone }, passwordHashes),
  ]);
  const wasSeeded = await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK_ID})`;
      if (!(await isEmpty(tx))) return false;
      await insert(tx, rows);
      return true;
    },
    // A second process waits for the lock until the first has committed.
    { timeout: 120_000 },
  );
  return { wasSeeded, picturesRendered };
}

/** Who has which favorites, the latest first. */
const FOLLOWED: readonly { email: string; products: string[]; farms: FarmKey[] }[] = [
  {
    email: 'consumer@farmgate.test',
    products: ['cherries', 'eggs', 'strawberries'],
    farms: ['green-valley', 'stony-brook'],
  },
  { email: 'consumer2@farmgate.test', products: ['cherries', 'eggplant'], farms: ['three-rivers'] },
];

const followRows = (now: Date): Prisma.FollowCreateManyInput[] =>
  FOLLOWED.flatMap(({ email, products: keys, farms: farmKeys }) =>
    [
      ...keys.map((key) => ({ productId: idOf('product', key) })),
      ...farmKeys.map((key) => ({ farmId: farmIdOf(key) })),
    ].map((subject, index) => ({
      ...{ userId: idOf('user', email), ...subject, since: before(now, (index + 1) * DAY_MS) },
      expiresAt: new Date(now.getTime() + FOLLOW_DAYS * DAY_MS),
    })),
  );

async function isEmpty(db: Transaction): Promise<boolean> {
  const user = await db.user.findFirst({ select: { id: true } });
  return user === null && (await db.category.findFirst({ select: { id: true } })) === null;
}

type Rows = Awaited<ReturnType<typeof makeRows>>;

async function makeRows(clock: Clock, passwordHashes: ReadonlyMap<string, string>) {
  const { now, timeZone } = clock;
  const slots = makeSlots(now, timeZone);
  const { orders, events, proposals, timers } = changeOrders(makeAllOrders(clock, slots), now);
  const notifications = makeNotifications(orders, events, now);
  const asked = makeAttentions(orders, notifications, now);
  return {
    users: await makeUsers(now, passwordHashes),
    settings: {
      timeZone,
      country: 'PK',
      locale: 'en-PK',
      languages: ['en', 'ur', 'de'],
      contactAddress: DEMO_CONTACT.address,
      contactPhone: DEMO_CONTACT.phone,
      contactEmail: DEMO_CONTACT.email,
    },
    farms: farms.map((farm) => ({ ...farmRow(farm, clock), timeZone })),
    members: memberRows(now),
    ...makePlaces(now),
    slots: slots.map(({ row }) => row),
    categories: READY_CATEGORIES.map((category) => ({
      id: idOf('category', category.key),
      ...namesIn(category.name, ['en', 'ur', 'de']),
      nameKey: category.name.text.toLowerCase(),
      description: category.description.text,
      icon: category.icon,
      createdAt: before(now, admin.joinedDaysAgo * DAY_MS),
    })),
    uploads: uploadRows(now),
    products: productRows(orders, clock),
    ...makePicklist(orders, now),
    orders,
    proposals,
    timers: [...timers, ...asked.timers],
    attentions: asked.attentions,
    ...makeConversations(orders, now),
    notifications,
    follows: followRows(now),
  };
}

async function makeUsers(
  now: Date,
  passwordHashes: ReadonlyMap<string, string>,
): Promise<Prisma.UserCreateManyInput[]> {
  const people = [
    { ...admin, role: 'admin' as const },
    ...farms.map(({ farmer, joinedDaysAgo }) => ({
      ...farmer,
      joinedDaysAgo,
      role: 'farmer' as const,
    })),
    ...staff.map(({ farm: _, ...person }) => ({ ...person, role: 'farmer' as const })),
    ...consumers.map((consumer) => ({ ...consumer, role: 'consumer' as const })),
  ];
  // Password hashing is slow, so accounts with the known password share one hash.
  const knownHash = await hashPassword(DEMO_PASSWORD);
  return people.map(({ address, joinedDaysAgo, ...person }, index) => ({
    id: idOf('user', person.email),
    ...person,
    ...address,
    passwordHash: passwordHashes.get(person.email) ?? knownHash,
    createdAt: before(now, joinedDaysAgo * DAY_MS),
    lastSeenAt: before(now, (0.05 + index * 0.3) * DAY_MS),
    emailVerifiedAt: before(now, joinedDaysAgo * DAY_MS),
  }));
}

function farmRow(farm: DemoFarm, clock: Clock): Prisma.FarmerProfileCreateManyInput {
  return {
    userId: idOf('user', farm.farmer.email),
    farmName: farm.farmName,
    description: farm.description,
    establishedYear: farm.establishedYear,
    ...farm.social,
    farmingPractices: farm.practices,
    businessHours: farm.hours,
    acceptsPickup: true,
    ...farm.position,
    acceptsDelivery: farm.deliveryRadius !== undefined,
    deliveryRadius: farm.deliveryRadius ?? null,
    paymentDetails: farm.paymentDetails ?? '',
    cutoffDaysBefore: farm.cutoff?.daysBefore ?? null,
    cutoffTime: farm.cutoff?.time ?? null,
    atCutoff: farm.atCutoff ?? 'remind',
    closedDays: closedDaysOf(farm, clock),
    updatedAt: before(clock.now, (farm.joinedDaysAgo / 2) * DAY_MS),
  };
}

function closedDaysOf({ closedInDays: closed }: DemoFarm, { now, timeZone }: Clock): Date[] {
  if (!closed) return [];
  return Array.from({ length: closed.to - closed.from + 1 }, (_, index) =>
    dayOf(now, timeZone, closed.from + index),
  );
}

function memberRows(now: Date): Prisma.FarmMemberCreateManyInput[] {
  const owners = farms.map(({ farmer, joinedDaysAgo }) => ({
    farmId: idOf('user', farmer.email),
    userId: idOf('user', farmer.email),
    role: 'owner' as const,
    createdAt: before(now, joinedDaysAgo * DAY_MS),
  }));
  const others = staff.map(({ farm, role, email, joinedDaysAgo }) => ({
    farmId: farmIdOf(farm),
    userId: idOf('user', email),
    email,
    role,
    createdAt: before(now, joinedDaysAgo * DAY_MS),
  }));
  const guest = {
    farmId: farmIdOf(invited.farm),
    email: invited.email,
    role: invited.role,
    inviteExpiresAt: before(now, -invited.daysLeft * DAY_MS),
    createdAt: before(now, 2 * DAY_MS),
  };
  return [...owners, ...others, guest];
}

function uploadRows(now: Date): Prisma.UploadCreateManyInput[] {
  const byKey = new Map(products.map((product) => [product.key, product]));
  return pictures.flatMap(({ id, product: name }) => {
    const product = byKey.get(name);
    if (!product) return [];
    return {
      id,
      ownerId: farmIdOf(product.farm),
      ...PICTURE_SIZE,
      createdAt: before(now, product.listedDaysAgo * DAY_MS),
    };
  });
}

function productRows(
  orders: readonly DemoOrder[],
  { now, timeZone }: Clock,
): Prisma.ProductCreateManyInput[] {
  const moves = countStockMoves(orders);
  return products.map((product) => {
    const id = idOf('product', product.key);
    const { harvestedDaysAgo, availableForDays } = product;
    const createdAt = before(now, product.listedDaysAgo * DAY_MS);
    return {
      id,
      farmerId: farmIdOf(product.farm),
      categoryId: idOf('category', product.category),
      name: product.name,
      description: product.description,
      ...saleRow(product),
      sku: product.sku ?? null,
      allergens: toAllergens(product.allergens ?? 'unknown'),
      ingredients: product.ingredients ?? '',
      storage: product.storage ?? '',
      origin: product.origin ?? '',
      images: addressesOf(product.key),
      isOrganic: product.isOrganic ?? false,
      harvestDate: harvestedDaysAgo === undefined ? null : dayOf(now, timeZone, -harvestedDaysAgo),
      availableUntil:
        availableForDays === undefined ? null : dayOf(now, timeZone, availableForDays),
      version: 1 + (moves.get(id) ?? 0),
      createdAt,
      updatedAt: createdAt,
    };
  });
}

/** Writes the address of each person's profile as their preferred one. */
async function insertAddresses(
  tx: Transaction,
  users: readonly Prisma.UserCreateManyInput[],
): Promise<void> {
  await tx.userAddress.createMany({
    data: users
      .filter(({ street, city }) => street || city)
      .map(({ email, createdAt, street = '', city = '', state = '', zipCode = '' }) => ({
        id: idOf('address', email),
        userId: idOf('user', email),
        ...{ createdAt: createdAt ?? new Date(), street, city, state, zipCode },
      })),
  });
  await tx.$executeRaw`
    UPDATE users SET preferred_address_id = a.id FROM user_addresses a WHERE a.user_id = users.id`;
}

async function insert(tx: Transaction, rows: Rows): Promise<void> {
  // First, since orders count on the days of the market's clock.
  await tx.marketSettings.upsert({
    where: { id: 1 },
    create: rows.settings,
    update: rows.settings,
  });
  await tx.user.createMany({ data: rows.users });
  await insertAddresses(tx, rows.users);
  await tx.farmerProfile.createMany({ data: rows.farms });
  await tx.farmMember.createMany({ data: rows.members });
  await tx.category.createMany({ data: rows.categories });
  await tx.upload.createMany({ data: rows.uploads });
  await tx.product.createMany({ data: rows.products });
  await tx.place.createMany({ data: rows.places });
  await tx.placeHours.createMany({ data: rows.placeHours });
  await tx.slot.createMany({ data: rows.slots });
  for (const { farmId, columns } of rows.farmsWithSlots) {
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { ...columns, placesVersion: 1 },
    });
    await setNextDay(tx, farmId, rows.settings.timeZone);
  }
  await tx.order.createMany({ data: rows.orders.map(({ order }) => order) });
  await tx.orderLine.createMany({
    data: rows.orders.flatMap(({ lines }) =>
      lines.map((line) => ({ ...line, unitLabel: [...line.unitLabel] })),
    ),
  });
  await tx.orderTimelineEntry.createMany({ data: rows.orders.flatMap(({ timeline }) => timeline) });
  await tx.orderProposal.createMany({ data: rows.proposals });
  await tx.timer.createMany({ data: rows.timers });
  await tx.pickPrint.createMany({ data: rows.pickPrints });
  await tx.pickPrintLine.createMany({ data: rows.pickPrintLines });
  await tx.pickTick.createMany({ data: rows.pickTicks });
  await tx.message.createMany({ data: rows.messages });
  await tx.conversation.createMany({ data: rows.conversations });
  await tx.notification.createMany({ data: rows.notifications });
  await tx.attention.createMany({ data: rows.attentions });
  await tx.follow.createMany({ data: rows.follows });
  await tx.notificationDelivery.createMany({ data: lowStockMarks() });
}

/** By whose clock the demo market counts its days, unless the environment names another: that of Islamabad. */
export const DEMO_TIME_ZONE = 'Asia/Karachi';
