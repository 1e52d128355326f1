/** The limit of a wait on a quick machine, in milliseconds. */
export const BASE_MS = 90_000;

/**
 * How long a test waits for a state, in milliseconds: so long that only what never comes takes all of it. It grows with
 * the slowness of the machine, which is measured once when the tests start.
 */
export const WAIT_MS = Number(process.env.TEST_WAIT_MS ?? BASE_MS);

/** Returns a limit in milliseconds that suits a quick machine, for this one. */
export const scaled = (ms: number): number => Math.ceil((ms * WAIT_MS) / BASE_MS);

// As they are before a test sets a clock of its own.
const { setTimeout } = globalThis;
const now = performance.now.bind(performance);

type Condition<T> = () => T | Promise<T>;

/**
 * Waits until the condition returns something truthy, and returns that. It asks soon at first, then less and less
 * often, since most conditions ask a page or a database.
 * @param withinMs only where the work itself may take longer than a wait; `scaled` makes it
 * @throws what the condition throws; after the limit an error that names what it waited for
 */
export function until<T>(condition: Condition<T>): Promise<NonNullable<T>>;
export function until<T>(
  what: string,
  condition: Condition<T>,
  withinMs?: number,
): Promise<NonNullable<T>>;
export async function until<T>(
  what: string | Condition<T>,
  condition = what as Condition<T>,
  withinMs = WAIT_MS,
): Promise<NonNullable<T>> {
  const end = now() + withinMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.2, 150)) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (now() > end) throw new Error(`Not within ${Math.round(withinMs / 1000)} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
