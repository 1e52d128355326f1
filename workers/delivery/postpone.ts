import { DelayedError, type Job } from 'bullmq';

/** Thrown by a job to run again a little later. It does not count as a failed attempt. */
export class PostponedError extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`The job runs again in ${delayMs} ms.`);
    this.delayMs = delayMs;
  }
}

/** Hands a postponed job back to its queue. @throws what tells BullMQ that it did so, or `error` */
export async function postpone(
  job: Job,
  token: string | undefined,
  error: unknown,
): Promise<never> {
  if (!(error instanceof PostponedError)) throw error;
  await job.moveToDelayed(Date.now() + error.delayMs, token);
  throw new DelayedError();
}

export type PersonLimit = ReturnType<typeof createPersonLimit>;

/**
 * Limits how many jobs of one person this process works on at the same time, so that slow endpoints
 * of one person leave room for everybody else. What is above the limit is postponed by `delayMs`, and
 * spread by `spacingMs`, so that a large backlog costs no more than a small one.
 */
export function createPersonLimit(options: { max: number; delayMs: number; spacingMs: number }) {
  const people = new Map<string, { inHand: number; lastPostponedTo: number }>();

  function postponeOf(person: { lastPostponedTo: number }): PostponedError {
    const now = Date.now();
    const to = Math.max(now + options.delayMs, person.lastPostponedTo + options.spacingMs);
    person.lastPostponedTo = to;
    return new PostponedError(to - now);
  }

  return {
    /** @throws PostponedError while the person has as many jobs in hand as allowed */
    async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
      const person = people.get(userId) ?? { inHand: 0, lastPostponedTo: 0 };
      if (person.inHand >= options.max) throw postponeOf(person);
      people.set(userId, person);
      person.inHand++;
      try {
        return await work();
      } finally {
        person.inHand--;
        if (person.inHand === 0) people.delete(userId);
      }
    },
  };
}
