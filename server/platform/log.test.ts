import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

// pino writes to the process's own output, so a process of its own is what shows it.
const SCRIPT = `
  import { createLog } from './server/platform/log.ts';
  const log = createLog({ LOG_LEVEL: 'trace' }, 'test');
  const person = {
    name: 'Zebedee', email: 'zebedee@farm.test', phone: '555-0199', street: 'Marker Lane',
    password: 'marker-password', token: 'marker-token', content: 'marker-message', notes: 'marker-notes',
  };
  log.info(person, 'flat');
  log.info({ user: person }, 'within');
  log.info({ order: { consumer: person } }, 'deep');
  const reason = '550 5.1.1 <zebedee@farm.test>: no such person; eyJhbGciOiJIUzI1NiJ9.eyJ2IjoxfQ.c2ln';
  log.warn({ reason, stack: new Error(reason).stack }, 'told by others');
`;

it('leaves persons and secrets out, whatever they hang on and whoever wrote them', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(4);
  expect(stdout).not.toMatch(/zebedee|marker|555-0199|eyJ/i);
  expect(stdout).toContain('no such person');
  expect(stdout).toContain('[email]');
});
