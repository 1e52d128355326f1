import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import type { Role } from '#contract/platform/http/http';
import { canActFor } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { type FarmState, type FarmStateRow, farmStateOf, maySeeFarm } from '../farmers/policy.ts';

interface Writer {
  id: string;
  role: Role;
}

interface Addressee extends Writer {
  isDeleted: boolean;
  /** They work for a farm that somebody else registered. */
  isOfStaff: boolean;
}

/** What happened between a writer and an addressee and allows writing. */
export interface MessagingHistory {
  /** The addressee has written to the writer. */
  hasWritten: boolean;
  /** The addressee has ordered from the writer. */
  hasOrdered: boolean;
  /** One of the two is a farm that is not in the market; undefined while it is. */
  closedFarm?: ClosedFarmHistory | undefined;
}

/** What goes on between a farm that is not in the market and whom it knows. */
interface ClosedFarmHistory {
  id: string;
  state: FarmState;
  /** The other of the two has ordered there. */
  hasOrdered: boolean;
  hasConversation: boolean;
}

/** Returns whether somebody may see a conversation with another, of which a farm may not be in the market. */
const maySeeConversation = (
  reader: Writer,
  { closedFarm }: Pick<MessagingHistory, 'closedFarm'>,
): boolean =>
  !closedFarm ||
  // Those who write for the farm read as the farm.
  reader.id === closedFarm.id ||
  maySeeFarm({ role: reader.role, membership: null }, closedFarm, 'conversation', closedFarm);

/** Returns whether a farm's being off the market ends what the two write: all but a conversation about orders. */
const isCutOff = (from: Writer, to: Writer, { closedFarm }: MessagingHistory): boolean =>
  closedFarm !== undefined &&
  from.role !== 'admin' &&
  to.role !== 'admin' &&
  !(closedFarm.hasConversation && closedFarm.hasOrdered);

/**
 * Returns whether one person may write to another: consumers to farmers, farmers to consumers who wrote
 * to or ordered from them, admins to anyone, anyone to those who wrote to them; nobody to themselves, to
 * a deleted account, or to those who work for a farm: one writes to the farm. With a farm that is not in the market
 * only a conversation that exists goes on, with anyone who has ordered there.
 */
export function canMessage(from: Writer, to: Addressee, history: MessagingHistory): boolean {
  if (to.isDeleted || to.isOfStaff || from.id === to.id) return false;
  if (isCutOff(from, to, history)) return false;
  if (from.role === 'admin' || history.hasWritten) return true;
  if (from.role === 'consumer') return to.role === 'farmer';
  return to.role === 'consumer' && history.hasOrdered;
}

/** Who takes part in a conversation: a person, or a farm, for which any of its people may write. */
export interface SenderIdentity {
  /** The person's id, or the farm's. */
  id: string;
  role: Role;
  /** The person behind it. */
  authorId: string;
  author: Pick<SessionUser, 'id' | 'membership'>;
  name: string;
}

/** Returns as whom somebody writes and reads: those who may write for a farm do so as the farm. */
export function senderIdentityOf(user: SessionUser): SenderIdentity {
  const { id, role, name, membership } = user;
  const isFarm = membership !== null && canActFor(user, membership.farmId, 'writeMessages');
  return {
    id: isFarm ? membership.farmId : id,
    role,
    authorId: id,
    author: { id, membership },
    name,
  };
}

/**
 * The room of a party to a conversation. Of farmers only farms take part, never their members: it is that of those who
 * may write for it.
 */
export const senderRoom = ({
  id,
  role,
}: {
  id: string;
  role: Role;
}): EventRoom<'message.created'> => (role === 'farmer' ? room.farmMessages(id) : room.user(id));

/** Who takes part in a conversation, and what allows it. */
export type Sender = Pick<SenderIdentity, 'id' | 'role'>;

/** Returns the role of a person to whom `from` may write; undefined for unknown and deleted people. */
export async function messageableRole(
  platform: Platform,
  from: Sender,
  to: string,
): Promise<Role | undefined> {
  const [person] = await findPeople(platform.db, from, [to]);
  return person && mayWrite(from, person) ? person.role : undefined;
}

/**
 * Returns those of the given people whom `from` may write to, with one query; leaves out unknown and
 * deleted people.
 */
export async function filterMessageable(
  platform: Platform,
  from: Sender,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const people = await findPeople(platform.db, from, ids);
  return people.filter((person) => mayWrite(from, person)).map(({ id }) => id);
}

export interface Correspondent extends MessagingHistory {
  id: string;
  name: string;
  role: Role;
  deletedAt: Date | null;
  /** Of a farm. */
  farmName: string | null;
  isOfStaff: boolean;
}

/** Returns these people, each with the history between them and `from`. */
async function findPeople(
  db: Database | Transaction,
  from: Sender,
  ids: readonly string[],
): Promise<Correspondent[]> {
  // ORDER BY like the index, since Postgres may otherwise choose a sequential scan for one row.
  const people = await db.$queryRaw<FoundPerson[]>`
    SELECT u.id, u.name, u.role, u.deleted_at AS "deletedAt",
           (SELECT f.farm_name FROM farmer_profiles f WHERE f.user_id = u.id) AS "farmName",
           EXISTS (SELECT FROM farm_members m
                   WHERE m.user_id = u.id AND m.farm_id <> u.id) AS "isOfStaff",
           (SELECT m.id FROM messages m
            WHERE m.sender_id = u.id AND m.receiver_id = ${from.id}::uuid
            ORDER BY m.created_at DESC, m.id DESC LIMIT 1) IS NOT NULL AS "hasWritten",
           (SELECT o.id FROM orders o
            WHERE o.consumer_id = u.id AND o.farmer_id = ${from.id}::uuid
            ORDER BY o.created_at DESC, o.id DESC LIMIT 1) IS NOT NULL AS "hasOrdered",
           (SELECT json_build_object(
              'id', farm.user_id, 'approvedAt', farm.approved_at, 'suspendedAt', carrier.suspended_at,
              'hasOrdered', EXISTS (
                SELECT FROM orders o WHERE o.farmer_id = farm.user_id
                  AND o.consumer_id IN (u.id, ${from.id}::uuid)),
              'hasConversation', EXISTS (
                SELECT FROM conversations c
                WHERE c.user_id = ${from.id}::uuid AND c.other_id = u.id))
            FROM farmer_profiles farm JOIN users carrier ON carrier.id = farm.user_id
            WHERE farm.user_id IN (u.id, ${from.id}::uuid)
              AND carrier.deleted_at IS NULL
              AND (farm.approved_at IS NULL OR carrier.suspended_at IS NOT NULL)
            LIMIT 1) AS "closedFarm"
    FROM users u WHERE u.id = ANY (${[...ids]}::uuid[])`;
  return people.map(({ closedFarm, ...person }) => ({
    ...person,
    closedFarm: closedFarm ? { ...closedFarm, state: farmStateOf(closedFarm) } : undefined,
  }));
}

type FoundPerson = Omit<Correspondent, 'closedFarm'> & {
  closedFarm: (Omit<ClosedFarmHistory, 'state'> & FarmStateRow) | null;
};

export function mayWrite(from: Sender, to: Correspondent): boolean {
  return canMessage(from, { ...to, isDeleted: to.deletedAt !== null }, to);
}

/** 404, the same for an unknown id and for a person one may not write to, but for oneself. */
const unknownPerson = (from: Sender, id: string) =>
  notFound(from.id === id ? msg("You can't write to yourself.") : msg('User not found'));

export async function requireReceiver(
  tx: Transaction,
  from: Sender,
  receiverId: string,
): Promise<Correspondent> {
  // Lock the receiver, so that they cannot be deleted before the message is stored.
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${receiverId}::uuid FOR SHARE`;
  const [receiver] = await findPeople(tx, from, [receiverId]);
  if (receiver && mayWrite(from, receiver)) return receiver;
  const { closedFarm } = receiver ?? {};
  if (closedFarm?.id === receiverId && closedFarm.hasOrdered && !closedFarm.hasConversation) {
    throw notFound(msg('This farm is off the market for now, so no new conversation can begin.'));
  }
  throw unknownPerson(from, receiverId);
}

/** Returns whether somebody may still see what another wrote to them. */
export async function isShown(
  db: Database | Transaction,
  reader: Sender,
  otherId: string,
): Promise<boolean> {
  const [other] = await findPeople(db, reader, [otherId]);
  return other !== undefined && maySeeConversation(reader, other);
}

/**
 * Returns a person whom the reader may write to or has a thread with.
 * @throws 404, also for a farm whose conversations the reader may not see while it is not in the market
 */
export async function requireCorrespondent(
  db: Database | Transaction,
  reader: Sender,
  otherId: string,
): Promise<Correspondent> {
  const [other] = await findPeople(db, reader, [otherId]);
  if (!other || !maySeeConversation(reader, other)) throw unknownPerson(reader, otherId);
  if (mayWrite(reader, other)) return other;
  const thread = await db.conversation.findUnique({
    where: { userId_otherId: { userId: reader.id, otherId } },
    select: { otherId: true },
  });
  if (!thread) throw unknownPerson(reader, otherId);
  return other;
}
