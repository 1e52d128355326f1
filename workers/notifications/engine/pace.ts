/** How long after a message about something more of the same kind goes as one, in milliseconds. */
const JOIN_MS = 5 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** Messages an hour about one thing, such as an order, of all kinds together. */
export const MESSAGES_PER_HOUR = 10;

/** A mail or push about something to one person over one channel; several notifications may be in it. */
export interface PacedMessage {
  kind: string;
  /** When it went, or goes. */
  at: Date;
  /** It waited for others, and holds all that wait for the same time. */
  isHeld: boolean;
}

/**
 * Decides when a notification goes that is about the same thing as `earlier` messages of the last hour: null for at
 * once, else the time of the message that it waits for.
 *
 * The first of a kind goes at once; more of it within five minutes go in one message when these are over. Where an hour
 * has {@link MESSAGES_PER_HOUR} already, whatever follows waits together until the hour is over.
 */
export function heldUntil(now: Date, kind: string, earlier: readonly PacedMessage[]): Date | null {
  const last = Math.max(0, ...earlier.filter((one) => one.kind === kind).map(({ at }) => +at));
  const earliest = last > +now ? last : Math.max(+now, last === 0 ? 0 : last + JOIN_MS);
  const isJoined = earlier.some(({ at, isHeld }) => isHeld && +at === earliest);
  if (isJoined) return new Date(earliest);
  const recent = timesOf(earlier).filter((at) => at > earliest - HOUR_MS);
  if (last + JOIN_MS <= +now && recent.length < MESSAGES_PER_HOUR) return null;
  if (recent.length < MESSAGES_PER_HOUR) return new Date(earliest);
  const latest = recent.at(-1) ?? 0;
  const hourBegan = recent.at(-MESSAGES_PER_HOUR) ?? 0;
  return new Date(latest >= earliest && latest > +now ? latest : hourBegan + HOUR_MS);
}

/** Returns the times of messages in ascending order: what waited for one time is one message, whatever its kind. */
function timesOf(messages: readonly PacedMessage[]): number[] {
  const keyed = new Map(
    messages.map(({ kind, at, isHeld }) => [`${isHeld ? '' : kind} ${+at}`, +at]),
  );
  return [...keyed.values()].sort((one, other) => one - other);
}

/** Text messages to one person: at most so many within so many milliseconds. */
const TEXT_LIMITS = [
  { max: 1, ms: 60_000 },
  { max: 5, ms: 15 * 60_000 },
] as const;

/** Returns how long the next text message to a person waits who was texted at these times, in milliseconds. */
export const msUntilText = (now: Date, textedAt: readonly Date[]): number =>
  Math.max(
    ...TEXT_LIMITS.map(({ max, ms }) => {
      const bounding = timesToKeep(now, textedAt).at(-max);
      return bounding ? Math.max(0, +bounding + ms - +now) : 0;
    }),
  );

/** Returns the times, in ascending order, that still count. */
export const timesToKeep = (now: Date, textedAt: readonly Date[]): Date[] =>
  textedAt
    .filter((at) => +at > +now - Math.max(...TEXT_LIMITS.map(({ ms }) => ms)))
    .sort((one, other) => +one - +other);
