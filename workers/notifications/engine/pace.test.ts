import { describe, expect, it } from 'vitest';
import {
  heldUntil,
  MESSAGES_PER_HOUR,
  msUntilText,
  type PacedMessage,
  timesToKeep,
} from './pace.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 8) + minutes * MINUTE_MS);

/** Plans notifications of these kinds at these minutes. @returns the minute of each one's message, and all messages */
function planned(...notifications: readonly [minute: number, kind: string][]) {
  const messages: PacedMessage[] = [];
  const minutes = notifications.map(([minute, kind]) => {
    const held = heldUntil(at(minute), kind, messages);
    messages.push({ kind, at: held ?? at(minute), isHeld: held !== null });
    return ((held ?? at(minute)).getTime() - at(0).getTime()) / MINUTE_MS;
  });
  return { minutes, messages };
}

const moves = (...minutes: number[]) =>
  planned(...minutes.map((minute): [number, string] => [minute, 'moved'])).minutes;

describe('what is about the same', () => {
  it('goes at once the first time, and what follows within five minutes goes as one', () => {
    expect(moves(0)).toEqual([0]);
    expect(moves(0, 0, 1, 4)).toEqual([0, 5, 5, 5]);
  });

  it('goes five minutes after the last message, or at once when these are over', () => {
    expect(moves(0, 1, 6, 9, 10)).toEqual([0, 5, 10, 10, 15]);
    expect(moves(0, 1, 12)).toEqual([0, 5, 12]);
    expect(moves(0, 5, 10)).toEqual([0, 5, 10]);
  });

  it('does not wait for another kind', () => {
    expect(planned([0, 'moved'], [1, 'accepted'], [2, 'moved'], [3, 'accepted']).minutes).toEqual([
      0, 1, 5, 6,
    ]);
  });

  it('waits for the end of the hour where that has ten, whatever its kind, and goes together', () => {
    const kinds = Array.from({ length: MESSAGES_PER_HOUR }, (_, n): [number, string] => [
      n,
      `${n}`,
    ]);
    const later: [number, string][] = [
      [12, 'moved'],
      [13, 'accepted'],
      [59, '3'],
    ];
    expect(planned(...kinds, ...later).minutes.slice(MESSAGES_PER_HOUR)).toEqual([60, 60, 60]);
    // Then the hour of the second one is over.
    expect(planned(...kinds, ...later, [62, 'weighed'], [75, 'weighed']).minutes.slice(-2)).toEqual(
      [62, 75],
    );
  });

  it('is never more than ten messages in any hour, however often it changes', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let run = 0; run < 20; run++) {
      let minute = 0;
      const { minutes, messages } = planned(
        ...Array.from({ length: 300 }, (): [number, string] => {
          minute += random() * (run % 4);
          return [minute, `${Math.floor(random() * (1 + (run % 5)))}`];
        }),
      );
      const keys = messages.map(({ kind, at, isHeld }) => `${isHeld ? '' : kind} ${+at}`);
      const times = keys
        .flatMap((key, index) => (keys.indexOf(key) === index ? (minutes[index] ?? 0) : []))
        .sort((one, other) => one - other);
      for (const [index, time] of times.entries()) {
        const tenLater = times[index + MESSAGES_PER_HOUR] ?? Number.POSITIVE_INFINITY;
        expect(tenLater - time).toBeGreaterThanOrEqual(60 - 1e-6);
      }
    }
  });
});

describe('a text', () => {
  const MINUTE_MS = 60_000;
  const now = new Date('2030-05-01T08:00:00.000Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

  it('goes a minute after the last one, and fifteen minutes after the fifth before it', () => {
    expect(msUntilText(now, [])).toBe(0);
    expect(msUntilText(now, [ago(60)])).toBe(0);
    expect(msUntilText(now, [ago(59)])).toBe(1000);
    expect(msUntilText(now, [now])).toBe(MINUTE_MS);
    const five = [899, 700, 500, 300, 100].map(ago);
    expect(msUntilText(now, five)).toBe(1000);
    expect(msUntilText(now, [...five].reverse())).toBe(1000);
    expect(msUntilText(now, five.slice(1))).toBe(0);
    expect(msUntilText(now, [ago(900), ...five.slice(1)])).toBe(0);
  });

  it('is never more than one in any minute and five in any quarter of an hour', () => {
    const times: Date[] = [];
    for (let at = 0; at < 3 * 60 * MINUTE_MS; at += 7000) {
      const moment = new Date(at);
      if (msUntilText(moment, timesToKeep(moment, times)) === 0) times.push(moment);
    }
    expect(times.length).toBeGreaterThan(50);
    for (const [index, time] of times.entries()) {
      const distance = (further: number) => +(times[index + further] ?? Infinity) - +time;
      expect(distance(1)).toBeGreaterThanOrEqual(MINUTE_MS);
      expect(distance(5)).toBeGreaterThanOrEqual(15 * MINUTE_MS);
    }
  });

  it('waits for its time and no longer, however often it is asked', () => {
    const times = [899, 700, 500, 300, 100].map(ago);
    const then = new Date(+now + msUntilText(now, times));
    expect(msUntilText(then, times)).toBe(0);
    expect(timesToKeep(then, times)).toHaveLength(4);
  });
});
