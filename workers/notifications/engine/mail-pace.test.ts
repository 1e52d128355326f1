import { expect, it } from 'vitest';
import { createMailPace } from './mail-pace.ts';

/** A pace by a clock that the test moves, in milliseconds. */
function paceAt(perSecond?: number) {
  const clock = { now: 0 };
  return { clock, pace: createMailPace({ perSecond, now: () => clock.now }) };
}

it('sends without a wait where there is no limit', () => {
  const { pace } = paceAt();
  expect([pace.takeTurn(), pace.takeTurn(), pace.takeTurn()]).toEqual([0, 0, 0]);
});

it('lets so many mails a second go, and saves up none', () => {
  const { pace, clock } = paceAt(4);
  expect([pace.takeTurn(), pace.takeTurn(), pace.takeTurn()]).toEqual([0, 250, 500]);
  clock.now = 60_000;
  expect([pace.takeTurn(), pace.takeTurn()]).toEqual([0, 250]);
});

it('pauses twice as long after each 421, for five minutes at most, until a mail is taken', () => {
  const { pace, clock } = paceAt();
  const pauses = [];
  for (let refusal = 0; refusal < 7; refusal++) {
    pauses.push(pace.slowDown());
    expect(pace.takeTurn()).toBe(pauses.at(-1));
    clock.now += pauses.at(-1) ?? 0;
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  pace.wasTaken();
  expect(pace.takeTurn()).toBe(0);
  expect(pace.slowDown()).toBe(10_000);
});

it('pauses once for all mails that were refused together', () => {
  const { pace } = paceAt();
  expect([pace.slowDown(), pace.slowDown(), pace.slowDown()]).toEqual([10_000, 10_000, 10_000]);
  expect(pace.takeTurn()).toBe(10_000);
});
