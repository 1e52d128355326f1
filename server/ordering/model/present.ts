import type { PackingState } from '#contract/ordering/changes/constants';
import type { StatusDetail } from '#contract/ordering/changes/order-lines';
import { findTransition, type OrderCheck } from '#contract/ordering/orders/constants';
import type {
  OrderStatus,
  TimelineEntry,
  TimelineKind,
} from '#contract/ordering/orders/order-timeline';
import type { DayFigures, Order, PaymentMethod } from '#contract/ordering/orders/orders';
import type { PickupDetails } from '#contract/ordering/orders/pickup';
import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import { fromMinor } from '#contract/platform/money/constants';
import type { Cause } from '#contract/platform/orders/constants/causes';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import {
  type ContactRow,
  contactSelect,
  type PersonRow,
  personSelect,
  presentAddress,
  presentContact,
  presentPersonWithRole,
} from '../../people/users/present.ts';
import { HANDOVER_COLUMNS, ORDER_COLUMNS } from './columns.ts';
import {
  type At,
  estimatedTotalOf,
  instant,
  isFinalLine,
  type LineRow,
  lineRow,
  type ProposalRow,
  personRow,
  presentLine,
  presentProposal,
  proposalInclude,
  proposalRow,
} from './present-lines.ts';

/** What an order read by Prisma must bring to be presented; statements read it with `ORDER_ROW`. */
export const orderInclude = {
  consumer: { select: contactSelect },
  farmer: { select: { ...contactSelect, suspendedAt: true, farm: { select: { farmName: true } } } },
  lines: { orderBy: { position: 'asc' } },
  timeline: { orderBy: { sequence: 'asc' }, include: { by: { select: personSelect } } },
  proposals: { where: { status: 'open' }, include: proposalInclude },
} as const satisfies Prisma.OrderInclude;

export interface TimelineRow {
  sequence: number;
  kind: TimelineKind;
  status: OrderStatus | null;
  /** Typed by the contract, per kind. */
  detail?: unknown;
  at: At;
  reason: string | null;
  cause: string | null;
  by: PersonRow;
}

/** An order with everything that belongs to it, from wherever it was read. */
export interface OrderRow {
  id: string;
  consumerId: string;
  farmerId: string;
  createdAt: At;
  status: OrderStatus;
  totalMinor: number | bigint;
  paymentMethod: PaymentMethod;
  notes: string;
  isPickup: boolean;
  date: Date | string;
  time: string;
  startsAt: At | null;
  endsAt: At | null;
  /** The slot of a pickup, with its end and its place; null and '' without one. */
  slotId: string | null;
  placeId: string | null;
  endTime: string | null;
  placeName: string;
  placeDirections: string;
  pickupLocation: string;
  street: string;
  city: string;
  state: string;
  zipCode: string;
  isAreaConfirmed: boolean;
  isOwnPlace: boolean;
  isAreaOpen: boolean;
  version: number;
  consumer: ContactRow;
  farmer: ContactRow & { suspendedAt: At | null; farm: { farmName: string } | null };
  packing: PackingState;
  crates: number | null;
  lines: LineRow[];
  timeline: TimelineRow[];
  /** The one that is open, if there is one. */
  proposals: ProposalRow[];
}

/** Whether the farm of an order is suspended, or has left the market. */
export const isFarmAway = ({ farmer }: Pick<OrderRow, 'farmer'>): boolean =>
  farmer.suspendedAt !== null || farmer.deletedAt !== null;

/** The rooms of an order's events: its farm, its consumer and admins. */
export const orderRooms = (order: {
  consumerId: string;
  farmerId: string;
}): EventRoom<'order.created' | 'order.updated'>[] => [
  room.farm(order.farmerId),
  room.user(order.consumerId),
  room.admins,
];

/** An order as its two parties and admins see it. */
export function presentOrder(row: OrderRow): Order {
  const toCheck = checksOf(row);
  const date = typeof row.date === 'string' ? row.date : row.date.toISOString().slice(0, 10);
  return {
    _id: row.id,
    createdAt: instant(row.createdAt),
    status: row.status,
    totalAmount: fromMinor(row.totalMinor),
    paymentMethod: row.paymentMethod,
    notes: row.notes,
    consumer: presentContact(row.consumer),
    farmer: { ...presentContact(row.farmer), farmName: row.farmer.farm?.farmName ?? '' },
    items: row.lines.map(presentLine),
    estimatedTotal: fromMinor(estimatedTotalOf(row.lines)),
    isTotalFinal: row.lines.every(isFinalLine),
    openChange: row.proposals.map(presentProposal)[0] ?? null,
    packing: row.packing,
    ...(row.crates === null ? {} : { crates: row.crates }),
    ...(row.isPickup
      ? { pickupDetails: presentPickup(row, date) }
      : {
          deliveryDetails: {
            address: {
              street: row.street,
              city: row.city,
              state: row.state,
              zipCode: row.zipCode,
            },
            date,
            time: row.time,
            ...(row.isAreaConfirmed ? { isAreaConfirmed: true as const } : {}),
          },
        }),
    ...(row.startsAt === null ? {} : { startsAt: instant(row.startsAt) }),
    ...(row.endsAt === null ? {} : { endsAt: instant(row.endsAt) }),
    mayCancel:
      findTransition(row.status, 'cancelled', 'consumer', {
        isFarmAway: isFarmAway(row),
      }) !== undefined,
    ...(toCheck.length > 0 && { toCheck }),
    version: row.version,
    timeline: row.timeline.flatMap(presentEntry),
  };
}

/** Returns what a farm looks at before it accepts an order. */
export const checksOf = ({
  isOwnPlace,
  isAreaOpen,
  endTime,
}: Pick<OrderRow, 'isOwnPlace' | 'isAreaOpen' | 'endTime'>): OrderCheck[] => [
  // Of a place that was written there is nothing left once the order is in a slot.
  ...(isOwnPlace && endTime === null ? (['own_place'] as const) : []),
  ...(isAreaOpen ? (['area'] as const) : []),
];

/** A pickup. At a place with slots the order's address is that of the place. */
function presentPickup(row: OrderRow, date: string): PickupDetails {
  const { time, endTime, slotId, placeId, placeName, placeDirections } = row;
  const { pickupLocation: location } = row;
  if (endTime === null) return { date, time, location };
  return {
    date,
    time,
    endTime,
    location,
    ...(slotId === null ? {} : { slotId }),
    ...(placeId === null ? {} : { placeId }),
    place: { name: placeName, address: presentAddress(row), directions: placeDirections },
  };
}

/** Entries of a kind that only a newer process knows are left out. */
function presentEntry({ kind, status, detail, ...row }: TimelineRow): TimelineEntry[] {
  const { sequence, at, by, reason, cause } = row;
  const entry = {
    sequence,
    at: instant(at),
    by: presentPersonWithRole(by),
    ...(reason === null ? {} : { reason }),
    ...(cause === null ? {} : { cause: cause as Cause }),
  };
  if (kind === 'status' && status !== null) {
    return [{ ...entry, kind, status, ...(detail ? { detail: detail as StatusDetail } : {}) }];
  }
  // Each kind has the detail that its entries are written with.
  return detail && DETAILED.includes(kind) ? [{ ...entry, kind, detail } as TimelineEntry] : [];
}

const DETAILED: readonly TimelineKind[] = ['slot', 'lines', 'proposal', 'weights', 'packing'];

/** A person with contact as JSON; `alias` names a row of `users`. */
export const contactRow = (alias: string, more = '') => `json_build_object(
  'id', ${alias}.id, 'name', ${alias}.name, 'role', ${alias}.role, 'deletedAt', ${alias}.deleted_at,
  'email', ${alias}.email, 'phone', ${alias}.phone, 'isFarm', ${alias}.is_farm${more})`;

/** The farm as JSON in the form of `OrderRow['farmer']`; with the aliases of `ORDER_SOURCE`. */
export const FARMER_ROW = contactRow(
  'farmer',
  `, 'suspendedAt', farmer.suspended_at, 'farm', CASE WHEN farm.user_id IS NOT NULL THEN json_build_object('farmName', farm.farm_name) END`,
);

/** Where {@link ORDER_ROW} is selected from. */
export const ORDER_SOURCE = `orders o
  JOIN users consumer ON consumer.id = o.consumer_id
  JOIN users farmer ON farmer.id = o.farmer_id
  LEFT JOIN farmer_profiles farm ON farm.user_id = o.farmer_id`;

/** An order with its people, lines and timeline as one JSON value, which `presentOrder` presents. */
export const ORDER_ROW = `json_build_object(
  'id', o.id, 'consumerId', o.consumer_id, 'farmerId', o.farmer_id, 'createdAt', o.created_at,
  'paymentMethod', o.payment_method, 'notes', o.notes, 'isPickup', o.is_pickup, 'placeId', o.place_id,
  'isAreaConfirmed', o.is_area_confirmed, 'isOwnPlace', o.is_own_place, 'isAreaOpen', o.is_area_open,
   ${ORDER_COLUMNS.json('o')}, ${HANDOVER_COLUMNS.json('o')},
  'consumer', ${contactRow('consumer')},
  'farmer', ${FARMER_ROW},
  'proposals', (
    SELECT COALESCE(json_agg(${proposalRow('proposal')}), '[]')
    FROM order_proposals proposal WHERE proposal.order_id = o.id AND proposal.status = 'open'),
  'lines', (
    SELECT COALESCE(json_agg(${lineRow('line')} ORDER BY line.position), '[]')
    FROM order_lines line WHERE line.order_id = o.id),
  'timeline', (
    SELECT COALESCE(json_agg(json_build_object(
      'sequence', entry.sequence, 'kind', entry.kind, 'status', entry.status, 'at', entry.at,
      'detail', entry.detail, 'reason', entry.reason, 'cause', entry.cause, 'by', ${personRow('person')})
    ORDER BY entry.sequence), '[]')
    FROM order_timeline entry JOIN users person ON person.id = entry.by_id
    WHERE entry.order_id = o.id))`;

/** One day's orders and completed revenue, as a statement counts them. */
export interface DayRow {
  date: string;
  orders: number;
  revenueMinor: number;
}

export const presentDay = ({ revenueMinor, ...day }: DayRow): DayFigures => ({
  ...day,
  revenue: fromMinor(revenueMinor),
});

/** Orders by id, oldest first; what is not there is left out. */
export async function readOrders(
  db: Database | Transaction,
  ids: readonly string[],
): Promise<OrderRow[]> {
  const rows = await db.$queryRawUnsafe<{ row: OrderRow }[]>(
    `SELECT ${ORDER_ROW} AS row FROM ${ORDER_SOURCE}
     WHERE o.id = ANY ($1::uuid[]) ORDER BY o.created_at, o.id`,
    ids,
  );
  return rows.map(({ row }) => row);
}
