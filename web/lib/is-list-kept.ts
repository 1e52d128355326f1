/** Returns whether localStorage has a list under this key that is not empty, without loading what knows the list. */
export function isListKept(key: string): boolean {
  try {
    return (localStorage.getItem(key) ?? '[]') !== '[]';
  } catch {
    // Storage is forbidden: nothing can be kept.
    return false;
  }
}

/** Calls `listener` if such a list is kept, and whenever another tab keeps one. Returns a function that stops. */
export function onListKept(key: string, listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key && isListKept(key)) listener();
  };
  window.addEventListener('storage', listen);
  if (isListKept(key)) listener();
  return () => window.removeEventListener('storage', listen);
}
