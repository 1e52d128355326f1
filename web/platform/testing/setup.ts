import { afterAll, afterEach, vi } from 'vitest';
import { WAIT_MS } from '../../../testing/until.ts';

// A process runs many files one after the other: each begins with modules and a window in which no other file
// kept anything, and to which none listens any more.
vi.resetModules();

// Its own limit is a second.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options });
afterAll(() => {
  vi.waitFor = waitFor;
  // With a clock of its own a file has an `Intl` of its own.
  vi.useRealTimers();
});

if (typeof document !== 'undefined') {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
  endListeningAfterwards(window);
  const { cleanup, configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: WAIT_MS });
  // What was typed in one test is not restored in the next, also what waits to be stored.
  afterEach(() => {
    window.dispatchEvent(new Event('pagehide'));
    for (const key of Object.keys(localStorage)) {
      if (key.endsWith(':drafts')) localStorage.removeItem(key);
    }
  });
  // After what a test file itself does after each of its tests.
  afterEach(cleanup);
}

/** Removes what the modules of this file listen to, such as a connection that is back, once its tests are over. */
function endListeningAfterwards(target: EventTarget): void {
  const added: Parameters<EventTarget['addEventListener']>[] = [];
  const add = target.addEventListener;
  target.addEventListener = (...listener: Parameters<EventTarget['addEventListener']>) => {
    added.push(listener);
    add.apply(target, listener);
  };
  afterAll(() => {
    target.addEventListener = add;
    for (const [type, listener, options] of added) {
      target.removeEventListener(type, listener, options);
    }
  });
}
