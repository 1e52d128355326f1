import type { Role } from '#contract/platform';

interface Writer {
  id: string;
  role: Role;
}

interface Addressee extends Writer {
  isDeleted: boolean;
}

/** What the addressee did before, as far as it opens a door. */
export interface Ties {
  /** The addressee has written to the writer. */
  hasWritten: boolean;
  /** The addressee has ordered from the writer. */
  hasOrdered: boolean;
}

/**
 * Who may write to whom: consumers to farmers, farmers to consumers who wrote to or ordered from
 * them, admins to anyone, anyone to those who wrote to them; nobody to themselves or the deleted.
 */
export function canMessage(from: Writer, to: Addressee, ties: Ties): boolean {
  if (to.isDeleted || from.id === to.id) return false;
  if (from.role === 'admin' || ties.hasWritten) return true;
  if (from.role === 'consumer') return to.role === 'farmer';
  return to.role === 'consumer' && ties.hasOrdered;
}
