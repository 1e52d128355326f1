import { expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { createSerialQueue } from './receive.ts';

const never = new AbortController().signal;

function withResolvers() {
  let resolve: (name: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}

/** Creates a task that runs until it is ended. */
function job(began: string[], name: string) {
  const { promise, resolve, reject } = withResolvers();
  return {
    work: () => {
      began.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

it('runs one task at a time, in order of arrival', async () => {
  const queue = createSerialQueue({ waitingMax: 4, waitMs: 60_000 });
  const began: string[] = [];
  const jobs = ['a', 'b', 'c'].map((name) => job(began, name));
  const results = jobs.map(({ work }) => queue.run(work, never));
  await until(() => began.length > 0);
  expect(began).toEqual(['a']);
  expect(queue.waiting()).toBe(2);
  jobs[0]?.end();
  expect(await results[0]).toBe('a');
  await until(() => began.length > 1);
  expect(began).toEqual(['a', 'b']);
  jobs[1]?.end();
  jobs[2]?.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});

it('continues after a task that failed', async () => {
  const queue = createSerialQueue({ waitingMax: 4, waitMs: 60_000 });
  const began: string[] = [];
  const [bad, good] = [job(began, 'bad'), job(began, 'good')];
  const failed = queue.run(bad.work, never);
  const done = queue.run(good.work, never);
  bad.fail();
  await expect(failed).rejects.toThrow('bad');
  good.end();
  expect(await done).toBe('good');
  expect(await queue.run(async () => 'later', never)).toBe('later');
});

it('refuses with 503 and Retry-After while the queue is full', async () => {
  const refusals: string[] = [];
  const queue = createSerialQueue({
    waitingMax: 1,
    waitMs: 60_000,
    onRefused: (reason) => refusals.push(reason),
  });
  const began: string[] = [];
  const jobs = ['a', 'b'].map((name) => job(began, name));
  const results = jobs.map(({ work }) => queue.run(work, never));
  expect(queue.isFull()).toBe(true);
  await expect(queue.run(async () => 'c', never)).rejects.toMatchObject({
    status: 503,
    retryAfter: 5,
  });
  expect(refusals).toEqual(['queue_full']);
  for (const { end } of jobs) end();
  await Promise.all(results);
  expect(queue.isFull()).toBe(false);
  expect(await queue.run(async () => 'd', never)).toBe('d');
});

it('refuses a task that waited too long, and runs the others', async () => {
  const refusals: string[] = [];
  const queue = createSerialQueue({
    waitingMax: 4,
    waitMs: 30,
    onRefused: (reason) => refusals.push(reason),
  });
  const first = job([], 'first');
  const result = queue.run(first.work, never);
  await expect(queue.run(async () => 'second', never)).rejects.toMatchObject({ status: 503 });
  expect(refusals).toEqual(['queue_timeout']);
  expect(queue.waiting()).toBe(0);
  first.end();
  expect(await result).toBe('first');
  expect(await queue.run(async () => 'third', never)).toBe('third');
});

it('removes a task whose signal aborts', async () => {
  const queue = createSerialQueue({ waitingMax: 4, waitMs: 60_000 });
  const first = job([], 'first');
  const result = queue.run(first.work, never);
  const leaving = new AbortController();
  const left = queue.run(async () => 'second', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(queue.run(async () => 'third', leaving.signal)).rejects.toThrow('gone');
  expect(queue.waiting()).toBe(0);
  first.end();
  await result;
  expect(await queue.run(async () => 'fourth', never)).toBe('fourth');
});
