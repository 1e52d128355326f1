import type { Position } from '../realtime/position.ts';
import type { Kept, KeptChange, KeptEntry, KeptGroup, KeptHead, KeptNote } from './records.ts';

/** What was not read or changed for this long is not kept any longer. */
const MAX_AGE_MS = 30 * 86_400_000;

/** The answers in the query cache of one tab that are to be kept, at one moment. */
export type Snapshot = {
  format: string;
  owner: string;
  /** Up to where the cache is complete; undefined before the first connection. */
  position: Position | undefined;
  /** Whether the live connection is there, so that covered answers are true now. */
  isLive: boolean;
  /** The moment, in milliseconds. */
  at: number;
  entries: ReadonlyMap<string, KeptEntry & KeptNote>;
  /** The hashes of answers that the server refuses by now. */
  gone: ReadonlySet<string>;
};

/**
 * Returns what to write so that the snapshot is kept beside what other tabs have kept, or null if another tab is
 * further in the log: its answers are newer.
 */
export function planWrite(
  stored: KeptHead | undefined,
  snapshot: Snapshot,
  groups: readonly KeptGroup[],
): KeptChange | null {
  const { format, owner, position, isLive, at, entries, gone } = snapshot;
  const before = stored && isSameHistory(stored, snapshot) ? stored : undefined;
  const storedAt = before?.position ?? null;
  if (storedAt && position && storedAt.seq > position.seq) return null;
  const isSamePlace = !position || storedAt?.seq === position.seq;

  const notes: Record<string, KeptNote> = {};
  for (const [hash, note] of Object.entries(before?.notes ?? {})) {
    // Events that have passed since are in the answers of this tab alone.
    notes[hash] = isSamePlace ? note : { ...note, isCovered: false };
  }
  const put = new Map<string, KeptEntry>();
  for (const [hash, { key, data, ...note }] of entries) {
    const other = notes[hash];
    const isCovered = note.isCovered && position !== undefined;
    // Without a position an answer that another tab keeps true must not be replaced by an uncertain one.
    if (other?.isCovered && !isCovered && other.updatedAt >= note.updatedAt) continue;
    if (other?.stamp !== note.stamp) put.set(hash, { key, data });
    notes[hash] = { ...note, isCovered };
  }

  const remove = [...gone, ...surplus(notes, groups, at)].filter((hash) => hash in notes);
  for (const hash of remove) {
    delete notes[hash];
    put.delete(hash);
  }
  return {
    head: {
      format,
      owner,
      position: position ?? storedAt,
      trueAt: isLive ? at : (before?.trueAt ?? at),
      notes,
    },
    isReplacement: !before,
    put,
    remove,
  };
}

/** Whether what is stored is the same person's, of the same format, and of the same history of events. */
function isSameHistory(
  stored: KeptHead,
  { format, owner, position }: Pick<Snapshot, 'format' | 'owner' | 'position'>,
): boolean {
  if (stored.format !== format || stored.owner !== owner) return false;
  return !position || !stored.position || stored.position.epoch === position.epoch;
}

/** Returns the hashes of what is too old, of no group, or more than its group keeps. */
function surplus(
  notes: Readonly<Record<string, KeptNote>>,
  groups: readonly KeptGroup[],
  at: number,
): string[] {
  const latestFirst = Object.entries(notes).sort(([, a], [, b]) => b.updatedAt - a.updatedAt);
  const left = new Map(groups.map(({ name, max }) => [name, max]));
  return latestFirst.flatMap(([hash, { group, updatedAt }]) => {
    const room = left.get(group) ?? 0;
    left.set(group, room - 1);
    return room <= 0 || updatedAt < at - MAX_AGE_MS ? [hash] : [];
  });
}

/** A kept answer to put into the query cache. */
export type Restorable = KeptEntry & {
  hash: string;
  stamp: string;
  updatedAt: number;
  isCovered: boolean;
  /** When the data was last known to be true, in milliseconds. */
  asOf: number;
};

/**
 * Returns the kept answers that `owner` may see, or null if all that is kept is another's, of another format or
 * cannot be read.
 */
export function planRestore(
  { head, entries }: Kept,
  { format, owner, now }: { format: string; owner: string; now: number },
): Restorable[] | null {
  if (head.format !== format || head.owner !== owner) return null;
  return Object.entries(head.notes).flatMap(([hash, { updatedAt, stamp, isCovered }]) => {
    const entry = entries.get(hash);
    if (!entry || updatedAt < now - MAX_AGE_MS) return [];
    const covered = isCovered && head.position !== null;
    return [
      {
        ...entry,
        hash,
        stamp,
        // The clock may have been set back since.
        updatedAt: Math.min(updatedAt, now),
        isCovered: covered,
        asOf: Math.min(covered ? Math.max(head.trueAt, updatedAt) : updatedAt, now),
      },
    ];
  });
}
