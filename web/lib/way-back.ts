let holds: (() => boolean) | undefined;

// Registered before anything is drawn: a window calls its listeners in the order they came, so the
// router hears of a way back only after this, or not at all.
window.addEventListener('popstate', (event) => {
  if (holds?.()) event.stopImmediatePropagation();
});

/**
 * Asks `hold` at each step back or forward of the browser: when it answers true, the page does not
 * hear of the step, and `hold` has put the address right again. Returns how to stop.
 */
export function holdWayBack(hold: () => boolean): () => void {
  holds = hold;
  return () => {
    if (holds === hold) holds = undefined;
  };
}
