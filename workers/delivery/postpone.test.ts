import { expect, it } from 'vitest';
import { createPersonLimit, PostponedError } from './postpone.ts';

/** Returns work that runs until `end` is called. */
function openWork() {
  let end: (error?: Error) => void = () => {};
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { run: () => done, end };
}

it('limits the running jobs per person, and counts down when one ends or fails', async () => {
  const limit = createPersonLimit({ max: 2, delayMs: 60_000, spacingMs: 100 });
  const [first, second] = [openWork(), openWork()];
  const working = [limit.run('ada', first.run), limit.run('ada', second.run)];
  await expect(limit.run('ada', async () => {})).rejects.toEqual(new PostponedError(60_000));
  expect(await limit.run('bob', async () => 'done')).toBe('done');

  first.end();
  await working[0];
  expect(await limit.run('ada', async () => 'done')).toBe('done');

  second.end(new Error('It failed.'));
  await expect(working[1]).rejects.toThrow('It failed.');
  const rest = [openWork(), openWork()];
  const again = rest.map((each) => limit.run('ada', each.run));
  await expect(limit.run('ada', async () => {})).rejects.toThrow(PostponedError);
  for (const each of rest) each.end();
  await Promise.all(again);
});

it('spreads postponed jobs, however many there are', async () => {
  const limit = createPersonLimit({ max: 1, delayMs: 60_000, spacingMs: 1000 });
  const first = openWork();
  const working = limit.run('ada', first.run);
  const startedAt = Date.now();
  const times: number[] = [];
  for (let count = 0; count < 1000; count++) {
    const error = await limit.run('ada', async () => {}).catch((reason: unknown) => reason);
    times.push(Date.now() + (error as PostponedError).delayMs - startedAt);
  }
  // A second apart each, the last one after 1,060 s; a busy machine may add to the first.
  expect(times.at(-1)).toBeGreaterThanOrEqual(1_059_000);
  expect(new Set(times.map((time) => Math.round(time / 1000))).size).toBeGreaterThan(990);
  first.end();
  await working;
});
