import type { QueryKey } from '@tanstack/react-query';
import type { Position } from '../realtime/position.ts';

/** Which queries are kept, and how many. */
export type KeptGroup = {
  name: string;
  /** What the keys of the group begin with. */
  prefix: QueryKey;
  /** Which of these keys are kept; all without it. */
  matches?: (key: QueryKey) => boolean;
  /** The most answers that are kept, the latest first. */
  max: number;
  /**
   * Whether events keep the data true while no page shows it. A replay then makes kept data true again; all
   * other data is fetched again before it counts as current.
   */
  isCovered: boolean;
};

/** A kept answer. */
export type KeptEntry = { key: QueryKey; data: unknown };

/** What is known of an answer without reading it. */
export type KeptNote = {
  group: string;
  /** When the data was fetched or changed by an event, in milliseconds. */
  updatedAt: number;
  /** Names this version of the entry: another tab may have written another one. */
  stamp: string;
  /** Whether the data contains all events up to the head's position. */
  isCovered: boolean;
};

/** What is kept, whose it is and of when. It changes together with the entries, in one transaction. */
export type KeptHead = {
  /** The format of all that is kept. What has another format is not read. */
  format: string;
  /** Who may see it. */
  owner: string;
  /** The place in the event log that the covered entries are of. */
  position: Position | null;
  /** When the covered entries were last known to be true, in milliseconds. */
  trueAt: number;
  /** By the hash of the query. */
  notes: Record<string, KeptNote>;
};

/** All that is kept; entries by the hash of their query. */
export type Kept = { head: KeptHead; entries: ReadonlyMap<string, KeptEntry> };

/** What to write in one transaction. */
export type KeptChange = {
  head: KeptHead;
  /** Removes everything else before. */
  isReplacement: boolean;
  put: ReadonlyMap<string, KeptEntry>;
  remove: readonly string[];
};

/** Where reads are kept. */
export interface KeptStore {
  /** Returns what is kept, or undefined if that is nothing. Rejects if the storage cannot be read. */
  read(): Promise<Kept | undefined>;
  /**
   * Changes what is kept. `decide` gets the present head and returns what to write, or null for nothing. Rejects
   * if nothing could be written.
   */
  write(decide: (head: KeptHead | undefined) => KeptChange | null): Promise<void>;
  /** Removes everything. */
  wipe(): Promise<void>;
}
