import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

// pino writes to the process's stdout, so the test reads that of a child process.
const SCRIPT = `
  import { createLog } from './server/platform/process/log.ts';
  const log = createLog({ LOG_LEVEL: 'trace' }, 'test');
  const person = {
    name: 'Zebedee', email: 'zebedee@farm.test', phone: '555-0199', street: 'Marker Lane',
    password: 'marker-password', token: 'marker-token', content: 'marker-message', notes: 'marker-notes',
  };
  log.info(person, 'flat');
  log.info({ user: person }, 'within');
  log.info({ order: { consumer: person } }, 'deep');
  const reason = '550 5.1.1 <zebedee@farm.test>: no such person; eyJhbGciOiJIUzI1NiJ9.eyJ2IjoxfQ.c2ln';
  const error = new Error(reason);
  log.warn({ reason, stack: error.stack }, 'reason and stack');
  log.error(error);
  log.error({ err: error });
  log.error({ err: error }, 'error object');
`;

it('redacts personal data and secrets in fields, texts and errors', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(7);
  expect(stdout).not.toMatch(/zebedee|marker|555-0199|eyJ/i);
  expect(stdout).toContain('no such person');
  expect(stdout).toContain('[email]');
  // Source positions stay readable.
  expect(stdout).toMatch(/"stack":"Error: 550[^"]+at [^"]+:\d+:\d+/);
});
