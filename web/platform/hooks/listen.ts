/** Listens to events of these names. Returns how to stop. */
export function listen<Received extends Event>(
  target: EventTarget,
  names: readonly string[],
  listener: (event: Received) => void,
  options?: AddEventListenerOptions | boolean,
): () => void {
  const heard = listener as EventListener;
  for (const name of names) target.addEventListener(name, heard, options);
  return () => {
    for (const name of names) target.removeEventListener(name, heard, options);
  };
}

/** Returns who listens to something that happens: `add` returns how to stop, `notify` calls all of them. */
export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    add(listener: (...args: Args) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(...args: Args): void {
      for (const listener of listeners) listener(...args);
    },
  };
}

/** Returns a function that stops all of these. */
export const stopAll =
  (...stops: readonly (() => void)[]) =>
  (): void => {
    for (const stop of stops) stop();
  };
