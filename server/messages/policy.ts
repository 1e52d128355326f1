import type { Role } from '#contract/http';

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
}

/**
 * Returns whether one person may write to another: consumers to farmers, farmers to consumers who wrote
 * to or ordered from them, admins to anyone, anyone to those who wrote to them; nobody to themselves, to
 * a deleted account, or to those who work for a farm: one writes to the farm.
 */
export function canMessage(from: Writer, to: Addressee, history: MessagingHistory): boolean {
  if (to.isDeleted || to.isOfStaff || from.id === to.id) return false;
  if (from.role === 'admin' || history.hasWritten) return true;
  if (from.role === 'consumer') return to.role === 'farmer';
  return to.role === 'consumer' && history.hasOrdered;
}
