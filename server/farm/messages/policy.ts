import type { Role } from '#contract/platform/http/http';
import { type FarmState, maySeeFarm } from '../farmers/policy.ts';

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
export interface ClosedFarmHistory {
  id: string;
  state: FarmState;
  /** The other of the two has ordered there. */
  hasOrdered: boolean;
  hasConversation: boolean;
}

/** Returns whether somebody may see a conversation with another, of which a farm may not be in the market. */
export const maySeeConversation = (
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
 * only a conversation that exists goes on, with whoever has ordered there.
 */
export function canMessage(from: Writer, to: Addressee, history: MessagingHistory): boolean {
  if (to.isDeleted || to.isOfStaff || from.id === to.id) return false;
  if (isCutOff(from, to, history)) return false;
  if (from.role === 'admin' || history.hasWritten) return true;
  if (from.role === 'consumer') return to.role === 'farmer';
  return to.role === 'consumer' && history.hasOrdered;
}
