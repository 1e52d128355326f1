import type { KeptEntry, KeptHead, KeptStore } from './records.ts';

const DATABASE = 'farmgate';
const STORE = 'kept-reads';
const HEAD_KEY = 'head';
const ENTRY_PREFIX = 'entry ';

/** Runs `work` in one transaction. Resolves when it is committed; rejects and changes nothing if it fails. */
async function transact<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore, resolve: (result: Result) => void) => void,
): Promise<Result | undefined> {
  const database = await open();
  try {
    return await new Promise<Result | undefined>((resolve, reject) => {
      let result: Result | undefined;
      const transaction = database.transaction(STORE, mode);
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The storage failed.'));
      work(transaction.objectStore(STORE), (value) => {
        result = value;
      });
    });
  } finally {
    // Opened for each use: a browser may close it at any time, and nobody's upgrade waits for this tab.
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws where storage is forbidden.
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('Another tab holds the storage.'));
  });
}

/** Keeps reads in the browser's IndexedDB, of which each origin has one for all tabs. */
export const indexedDbStore: KeptStore = {
  async read() {
    return transact('readonly', (store, resolve) => {
      const keys = store.getAllKeys();
      const values = store.getAll();
      values.onsuccess = () => {
        const records = new Map(keys.result.map((key, index) => [key, values.result[index]]));
        const head: KeptHead | undefined = records.get(HEAD_KEY);
        if (!head) return;
        const entries = new Map<string, KeptEntry>();
        for (const [key, entry] of records) {
          if (key !== HEAD_KEY) entries.set(String(key).slice(ENTRY_PREFIX.length), entry);
        }
        resolve({ head, entries });
      };
    });
  },

  async write(decide) {
    await transact('readwrite', (store) => {
      const present = store.get(HEAD_KEY);
      present.onsuccess = () => {
        const change = decide(present.result);
        if (!change) return;
        if (change.isReplacement) store.clear();
        for (const hash of change.remove) store.delete(ENTRY_PREFIX + hash);
        for (const [hash, entry] of change.put) store.put(entry, ENTRY_PREFIX + hash);
        store.put(change.head, HEAD_KEY);
      };
    });
  },

  async wipe() {
    await transact('readwrite', (store) => {
      store.clear();
    });
  },
};
