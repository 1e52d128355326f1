import { noteClock } from '#contract/platform/time/constants';

const HOUR_MS = 3_600_000;

/**
 * Makes the clock of this process wrong by so many hours until the returned function is called. Nothing else changes:
 * the database and timers go on as they did.
 */
export function setClockWrong(hours: number): () => void {
  const RealDate = globalThis.Date;
  const now = () => RealDate.now() + hours * HOUR_MS;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [] | ConstructorParameters<typeof RealDate>) =>
      args.length === 0 ? new target(now()) : new target(...args),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = RealDate;
    noteClock(RealDate.now(), RealDate.now(), RealDate.now());
  };
}
