import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PLAN,
  type EscalationPlan,
  type EscalationStep,
} from '#contract/ordering/attention/constants';
import { quietUntil } from '../../farm/escalation/quiet.ts';
import {
  acknowledgedCourse,
  type Circumstances,
  type Course,
  planOf,
  resolvedCourse,
  silenceAt,
  stepsOf,
  turnOf,
} from './policy.ts';

const START = new Date('2026-11-29T10:00:00.000Z');
const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
const begun = (createdAt = START): Course => ({
  ...{ state: 'waiting', step: 0, round: 1, roundAt: createdAt, nextAt: createdAt },
  ...{ begunAt: null, acknowledgedAt: null, exhaustedAt: null, adminsAt: null },
  ...{ resolvedAt: null, resolution: null },
});
const around = (now: Date, over: Partial<Circumstances> = {}): Circumstances => ({
  now,
  overBy: null,
  endsAt: null,
  silentUntil: () => null,
  ...over,
});
const PLAN: EscalationPlan = { ...DEFAULT_PLAN, quietHours: null };
const timesOf = (run: readonly EscalationStep[]) => run.map(({ afterSeconds }) => afterSeconds);

/** Gives an attention its turns as they come due, until a time or for as long as there are any. */
function runUntil(course: Course, end: Date, plan = PLAN, over: Partial<Circumstances> = {}) {
  const ran: [seconds: number, steps: number[]][] = [];
  let turn = { course, timerAt: course.nextAt };
  while (turn.timerAt && turn.timerAt <= end) {
    const now = turn.timerAt;
    const next = turnOf(turn.course, plan, around(now, over));
    if (next.run.length > 0)
      ran.push([(now.getTime() - START.getTime()) / 1000, timesOf(next.run)]);
    turn = next;
  }
  return { course: turn.course, ran };
}

describe('the plan of a new order', () => {
  it('runs step by step and round by round, and is exhausted with the last step', () => {
    const { course, ran } = runUntil(begun(), at(1e9));
    expect(ran).toEqual([
      [0, [0]],
      [120, [120, 120]],
      [300, [300]],
      [1800, [0]],
      [1920, [120, 120]],
      [2100, [300]],
    ]);
    expect(course).toMatchObject({ state: 'exhausted', round: 2, step: 3, exhaustedAt: at(2100) });
  });

  it('stands in the feed of admins 15 minutes after it began, unless somebody is on it', () => {
    expect(runUntil(begun(), at(1e9)).course.adminsAt).toEqual(at(900));
    const taken = acknowledgedCourse(runUntil(begun(), at(300)).course, PLAN, at(400));
    expect(taken && runUntil(taken, at(1e9)).course.adminsAt).toBeNull();
  });

  it('waits for a silence to end, and the rest of its round with it', () => {
    const silentUntil = (time: Date) => (time >= at(100) && time < at(5000) ? at(5000) : null);
    expect(runUntil(begun(), at(6000), PLAN, { silentUntil }).ran).toEqual([
      [0, [0]],
      [5000, [120, 120]],
      [5180, [300]],
    ]);
  });

  it('of steps that are late runs the latest alone, and what follows comes so much later', () => {
    const late = turnOf(begun(), PLAN, around(at(3600)));
    expect(timesOf(late.run)).toEqual([300]);
    expect(late.course).toMatchObject({ step: 3, round: 1, nextAt: at(3600 - 300 + 1800) });
  });

  it('is of the farm alone for new orders', () => {
    const own = { rounds: 5, ackMinutes: 7, steps: [], pauseAfter: 3 };
    expect(planOf('order.placed', own)).toMatchObject(own);
    expect(planOf('picklist.changed', own)).toMatchObject({
      rounds: 1,
      ackMinutes: 7,
      pauseAfter: null,
    });
    expect(planOf('picklist.changed', own).steps.length).toBe(3);
  });
});

describe('a silence', () => {
  const NIGHT = { from: '21:00', to: '07:00' };
  const silent = (
    time: string,
    {
      zone = 'America/New_York',
      holidayUntil = null as string | null,
      deadlines = [] as string[],
    } = {},
  ) =>
    silenceAt(new Date(time), {
      holidayUntil: holidayUntil === null ? null : new Date(holidayUntil),
      quietUntil: (from) => quietUntil(NIGHT, zone, from),
      deadlines: deadlines.map((each) => new Date(each)),
    })?.toISOString() ?? null;

  it.each([
    // Both nights when clocks change: the morning is an hour nearer, and an hour farther.
    ['2026-03-08T05:00:00Z', 'America/New_York', '2026-03-08T11:00:00.000Z'],
    ['2026-11-01T05:00:00Z', 'America/New_York', '2026-11-01T12:00:00.000Z'],
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-29T05:00:00.000Z'],
    ['2026-10-24T23:30:00Z', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
    ['2026-10-03T15:00:00Z', 'Australia/Lord_Howe', '2026-10-03T20:00:00.000Z'],
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-04T20:30:00.000Z'],
    ['2026-06-01T18:00:00Z', 'Asia/Karachi', '2026-06-02T02:00:00.000Z'],
    ['2026-06-01T12:00:00Z', 'Asia/Karachi', null],
  ])('of %s in %s ends in the morning of the farm', (time, zone, end) => {
    expect(silent(time, { zone })).toBe(end);
  });

  it('is broken by a deadline that comes before its end, and by none that is over', () => {
    const time = '2026-06-02T03:00:00Z';
    expect(silent(time)).toBe('2026-06-02T11:00:00.000Z');
    expect(silent(time, { deadlines: ['2026-06-02T10:59:00Z'] })).toBeNull();
    expect(silent(time, { deadlines: ['2026-06-02T11:00:00Z'] })).toBe('2026-06-02T11:00:00.000Z');
    expect(silent(time, { deadlines: ['2026-06-02T02:00:00Z'] })).toBe('2026-06-02T11:00:00.000Z');
  });

  it('of a holiday ends with the night after it', () => {
    const holidayUntil = '2026-06-10T02:00:00Z';
    expect(silent('2026-06-02T15:00:00Z', { holidayUntil })).toBe('2026-06-10T11:00:00.000Z');
    expect(silent('2026-06-11T15:00:00Z', { holidayUntil })).toBeNull();
  });
});

describe('whatever comes', () => {
  const step = fc.record({
    afterSeconds: fc.integer({ min: 0, max: 3600 }),
    to: fc.constant('owner' as const),
    channels: fc.constant(['push' as const]),
  });
  const plans = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
    rounds: fc.integer({ min: 1, max: 4 }),
    ackMinutes: fc.integer({ min: 1, max: 60 }),
    quietHours: fc.constant(null),
    pauseAfter: fc.constant(null),
  });
  const happenings = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          seconds: fc.integer({ min: 0, max: 7200 }),
        }),
      },
      { weight: 3, arbitrary: fc.constant({ do: 'timer' as const }) },
      { weight: 1, arbitrary: fc.constant({ do: 'acknowledge' as const }) },
      { weight: 1, arbitrary: fc.constant({ do: 'resolve' as const }) },
    ),
    { minLength: 1, maxLength: 60 },
  );
  const silences = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 20_000 })),
    { maxLength: 4 },
  );

  it('each step runs at most once a round, none while somebody is on it, and it is exhausted after the last', () => {
    fc.assert(
      fc.property(plans, happenings, silences, (plan, things, spans) => {
        const silentUntil = (time: Date): Date | null => {
          const span = spans.find(([from, length]) => at(from) <= time && time < at(from + length));
          return span ? at(span[0] + span[1]) : null;
        };
        const steps = stepsOf(plan);
        const seen = new Set<string>();
        let [now, course, timerAt]: [Date, Course, Date | null] = [START, begun(), START];
        const turn = () => {
          const before = course;
          const next = turnOf(before, plan, around(now, { silentUntil }));
          ({ course, timerAt } = next);
          if (next.run.length === 0) return;
          expect(silentUntil(now)).toBeNull();
          const key = `${course.round}:${course.step}`;
          expect(seen.has(key)).toBe(false);
          seen.add(key);
          // One step, and never one that is ahead.
          expect(steps[course.step - 1]).toEqual(next.run);
          expect(course.step > before.step || course.round > before.round).toBe(true);
          expect(course.round).toBeLessThanOrEqual(plan.rounds);
          const isLast = course.step === steps.length && course.round === plan.rounds;
          expect(course.state).toBe(isLast ? 'exhausted' : 'waiting');
          // No burst: whatever follows is as far ahead as the plan has it.
          const following = steps[course.step]?.[0]?.afterSeconds;
          if (following !== undefined && course.nextAt) {
            const gap = following - (next.run[0]?.afterSeconds ?? 0);
            expect(course.nextAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(gap * 1000);
          }
          if (before.state === 'acknowledged') {
            const over = (before.acknowledgedAt?.getTime() ?? 0) + plan.ackMinutes * 60_000;
            expect(now.getTime()).toBeGreaterThanOrEqual(over);
          }
        };
        for (const thing of things) {
          if (thing.do === 'wait') now = new Date(now.getTime() + thing.seconds * 1000);
          else if (thing.do === 'timer' && timerAt) {
            now = timerAt > now ? timerAt : now;
            turn();
          } else if (thing.do === 'acknowledge') {
            const taken = acknowledgedCourse(course, plan, now);
            expect(taken === undefined).toBe(
              course.state === 'acknowledged' || course.state === 'resolved',
            );
            if (taken) [course, timerAt] = [taken, taken.nextAt];
          } else if (thing.do === 'resolve') {
            course = resolvedCourse(course, 'accepted', now);
          }
          if (course.state === 'resolved') {
            turn();
            expect(timerAt).toBeNull();
            expect(course.nextAt).toBeNull();
          }
          // Nobody is forgotten.
          if (course.state === 'waiting' || course.state === 'acknowledged') {
            expect(timerAt).not.toBeNull();
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('what is over by itself or by its subject asks nobody', () => {
    expect(turnOf(begun(), PLAN, around(at(0), { overBy: 'cancelled' }))).toMatchObject({
      course: { state: 'resolved', resolution: 'cancelled' },
      run: [],
      timerAt: null,
    });
    expect(turnOf(begun(), PLAN, around(at(0), { endsAt: at(-1) })).course.state).toBe('resolved');
    expect(turnOf(begun(), PLAN, around(at(0), { endsAt: at(60) })).timerAt).toEqual(at(60));
  });
});
