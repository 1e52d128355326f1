import type { KeptEntry, KeptHead, KeptStore } from '../records.ts';

/** A store that all tabs of a test share, and that can be made to fail or wait. */
export type MemoryStore = KeptStore & {
  head: KeptHead | undefined;
  entries: Map<string, KeptEntry>;
  /** What reads and writes fail with. */
  failure: Error | undefined;
  /** What reads wait for. */
  gate: Promise<void> | undefined;
  writeCount: number;
};

/** Creates an empty store. What goes in and out is copied, as in IndexedDB. */
export function createMemoryStore(): MemoryStore {
  const memory: MemoryStore = {
    head: undefined,
    entries: new Map(),
    failure: undefined,
    gate: undefined,
    writeCount: 0,
    async read() {
      await memory.gate;
      if (memory.failure) throw memory.failure;
      return memory.head && structuredClone({ head: memory.head, entries: memory.entries });
    },
    async write(decide) {
      if (memory.failure) throw memory.failure;
      const change = decide(structuredClone(memory.head));
      if (!change) return;
      memory.writeCount++;
      if (change.isReplacement) memory.entries.clear();
      for (const hash of change.remove) memory.entries.delete(hash);
      for (const [hash, entry] of change.put) memory.entries.set(hash, structuredClone(entry));
      memory.head = structuredClone(change.head);
    },
    async wipe() {
      memory.head = undefined;
      memory.entries.clear();
    },
  };
  return memory;
}
