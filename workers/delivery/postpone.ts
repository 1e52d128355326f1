import { DelayedError, type Job } from 'bullmq';

/** Thrown by a job to run again later. It does not count as a failed attempt. */
export class PostponedError extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`The job runs again in ${delayMs} ms.`);
    this.delayMs = delayMs;
  }
}

/** Returns a postponed job to its queue. @throws DelayedError, which BullMQ expects, or `error` itself */
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
 * Limits how many jobs of one person this process runs at once, so that slow endpoints of one person
 * do not delay others. Jobs above the limit are postponed by `delayMs` and spread by `spacingMs`, so
 * that a large backlog costs no more than a small one.
 */
export function createPersonLimit(options: { max: number; delayMs: number; spacingMs: number }) {
  const people = new Map<string, { runningCount: number; lastPostponedTo: number }>();

  function postponeOf(person: { lastPostponedTo: number }): PostponedError {
    const now = Date.now();
    const to = Math.max(now + options.delayMs, person.lastPostponedTo + options.spacingMs);
    person.lastPostponedTo = to;
    return new PostponedError(to - now);
  }

  return {
    /** Runs `work`. @throws PostponedError while the person's limit is reached */
    async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
      const person = people.get(userId) ?? { runningCount: 0, lastPostponedTo: 0 };
      if (person.runningCount >= options.max) throw postponeOf(person);
      people.set(userId, person);
      person.runningCount++;
      try {
        return await work();
      } finally {
        person.runningCount--;
        if (person.runningCount === 0) people.delete(userId);
      }
    },
  };
}
