import { setTimeout as sleep } from 'node:timers/promises';

/** The first pause after a 421, in milliseconds; it doubles until a mail is taken. */
const PAUSE_MIN_MS = 10_000;
const PAUSE_MAX_MS = 5 * 60_000;

export type MailPace = ReturnType<typeof createMailPace>;

/**
 * Creates what a process's mails wait for before each of them goes: that no second has more of them than `perSecond`,
 * and that the pause is over which a mail server asked for by 421.
 */
export function createMailPace({
  perSecond,
  now = () => performance.now(),
}: {
  perSecond: number | undefined;
  now?: () => number;
}) {
  const spacingMs = perSecond === undefined ? 0 : 1000 / perSecond;
  let nextAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;

  return {
    /** Takes the next turn. @returns how long it is until then, in milliseconds */
    takeTurn(): number {
      const at = Math.max(now(), nextAt);
      nextAt = at + spacingMs;
      return at - now();
    },

    /** Pauses all mails, since the server wants fewer. @returns for how long, in milliseconds */
    slowDown(): number {
      // Of several mails that are refused in one pause only the first makes it longer.
      if (pauseMs === 0 || now() >= nextAt - spacingMs) {
        pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, pauseMs * 2));
        nextAt = Math.max(nextAt, now() + pauseMs);
      }
      return pauseMs;
    },

    /** Notes that a mail was taken. */
    wasTaken(): void {
      pauseMs = 0;
    },
  };
}

/** Waits for the next turn. @throws AbortError when `signal` aborts */
export async function waitForTurn(pace: MailPace, signal: AbortSignal): Promise<void> {
  const waitMs = pace.takeTurn();
  if (waitMs > 0) await sleep(waitMs, undefined, { signal });
}
