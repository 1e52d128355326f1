import { expect, it } from 'vitest';
import { openDatabase } from '../../../prisma/client.ts';
import { until } from '../../../testing/until.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { SettingError } from './env.ts';
import type { Log } from './log.ts';
import { waitForDatabase } from './start.ts';

// What keeps a process waiting for its database is said in the database's own words, and never its password.

const database = await createTestDatabase();

/** Waits for a database until it has said why it waits, or ends with a sentence. */
async function wordsOf(change: (url: URL) => void): Promise<string> {
  const url = new URL(database.url);
  change(url);
  const lines: string[] = [];
  const say = (details: { reason?: string }, text: string) =>
    lines.push(`${text}: ${details.reason}`);
  const log = { warn: say, info: () => {} } as unknown as Log;
  const open = openDatabase({ connectionString: url.toString(), poolSize: 1 });
  let end: Error | undefined;
  waitForDatabase(open, log).catch((error: Error) => {
    end = error;
  });
  await until(() => end ?? lines.length > 0);
  if (end) expect(end).toBeInstanceOf(SettingError);
  // It gives up when the pool is closed.
  await open.close();
  return end?.message ?? lines.join(' ');
}

it.each<[what: string, change: (url: URL) => void, words: RegExp]>([
  [
    'a wrong password',
    (url) => {
      url.password = 'a-secret-one';
    },
    /refuses the connection \(password authentication failed for user "farmgate"\)/,
  ],
  [
    'a database that is not there',
    (url) => {
      url.pathname = '/nowhere';
    },
    /refuses the connection \(database "nowhere" does not exist\)/,
  ],
  [
    'a parameter that the server does not take',
    (url) => {
      url.searchParams.set('options', '-c no_such_setting=1');
    },
    /Waiting for Postgres.*unrecognized configuration parameter "no_such_setting"/,
  ],
  [
    'TLS that the server does not speak',
    (url) => {
      url.searchParams.set('sslmode', 'verify-full');
    },
    /Waiting for Postgres.*does not support SSL/,
  ],
  [
    'nobody at that port',
    (url) => {
      url.port = '1';
    },
    /Waiting for Postgres.*ECONNREFUSED/,
  ],
  [
    'a name that does not exist',
    (url) => {
      url.hostname = 'nowhere.invalid';
    },
    /Waiting for Postgres.*nowhere\.invalid/,
  ],
])('says %s', async (_, change, words) => {
  const said = await wordsOf(change);
  expect(said).toMatch(words);
  expect(said).not.toContain('a-secret-one');
  expect(said).not.toContain(new URL(database.url).password);
});
