const EVENTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'scroll', 'wheel'] as const;

let isActive = false;

/**
 * Calls `listener` once somebody uses the page with pointer, touch or keyboard, at once if that has happened: what is
 * fetched in advance is not fetched for tabs that nobody looks at. Returns how to stop.
 */
export function onFirstActivity(listener: () => void): () => void {
  if (isActive) {
    listener();
    return () => {};
  }
  const onActivity = () => {
    isActive = true;
    stop();
    listener();
  };
  const stop = () => {
    for (const name of EVENTS) window.removeEventListener(name, onActivity, true);
  };
  for (const name of EVENTS) {
    window.addEventListener(name, onActivity, { passive: true, capture: true });
  }
  return stop;
}
