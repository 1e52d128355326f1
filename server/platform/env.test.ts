import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnv, SETTINGS, SettingError } from './env.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'farmgate-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

const enough = {
  DATABASE_URL: 'postgres://farmgate@localhost/farmgate',
  REDIS_URL: 'redis://localhost:6379',
  JWT_SECRET: 'a secret of more than thirty-two characters',
};

/** What the commands and libraries read beside the programs. */
const ELSEWHERE = ['SEED', 'CHROMIUM_PATH', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

const example = readFileSync('.env.example', 'utf8');
/** The settings of a file whose examples count too. */
const shown = parseEnv(example.replaceAll(/^# (?=[A-Z\d_]+=)/gm, '')) as Record<string, string>;

describe('.env.example', () => {
  it('lists every setting, and no other', () => {
    expect(Object.keys(shown).sort()).toEqual([...SETTINGS, ...ELSEWHERE].sort());
  });

  it('explains each block of settings on the line above', () => {
    const lines = example.split('\n');
    const explained = lines.filter(
      (line, index) => /^(# )?[A-Z\d_]+=/.test(line) && /^# .*[.:]$/.test(lines[index - 1] ?? ''),
    );
    // A pair of keys, or a name that says it, shares the explanation of its neighbour.
    expect(explained.length).toBeGreaterThanOrEqual(Object.keys(shown).length - 4);
  });

  it('shows the defaults, and examples that are taken', () => {
    const defaults: Record<string, unknown> = readEnv({ ...enough, NODE_ENV: 'development' });
    const written = parseEnv(example) as Record<string, string>;
    const read: Record<string, unknown> = readEnv({ ...enough, ...written });
    for (const name of Object.keys(written).filter((name) => SETTINGS.includes(name))) {
      expect([name, read[name]]).toEqual([name, defaults[name]]);
    }
    expect(() => readEnv(shown)).not.toThrow();
  });
});

describe('a wrong setting', () => {
  it.each([
    ['PORT', '99999'],
    ['PORT', 'three thousand'],
    ['WEB_CONCURRENCY', '0'],
    ['DATABASE_URL', 'mysql://localhost/farmgate'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_PREFIX', 'farm gate'],
    ['PUBLIC_URL', 'farm.example'],
    ['JWT_SECRET', 'too short'],
    ['SMTP_URL', 'https://mail.example'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE_MS', '-1'],
    ['RATE_LIMIT_SCALE', '0'],
    ['TRUSTED_PROXIES', 'all'],
    ['S3_FORCE_PATH_STYLE', 'yes'],
    ['VAPID_SUBJECT', 'hello@farm.example'],
  ])('%s=%s is named in one sentence', (name, value) => {
    const read = () => readEnv({ ...enough, [name]: value });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(
      new RegExp(`^The setting ${name} is wrong \\(.+\\): see \\.env\\.example`),
    );
  });

  it.each(['DATABASE_URL', 'REDIS_URL'])('a missing %s is named', (name) => {
    expect(() => readEnv({ ...enough, [name]: undefined })).toThrow(
      `The setting ${name} is missing: set it in the environment or in .env.`,
    );
  });

  it('an empty setting counts as absent', () => {
    expect(readEnv({ ...enough, PORT: '', PUBLIC_URL: '' })).toMatchObject({
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
    });
  });
});

describe('the secret', () => {
  it('is made once and kept where only its owner reads it', () => {
    const settings = { ...enough, JWT_SECRET: undefined, DATA_DIR: path.join(folder, 'new') };
    const { JWT_SECRET } = readEnv(settings);
    expect(JWT_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(readEnv(settings).JWT_SECRET).toBe(JWT_SECRET);
    expect(statSync(path.join(folder, 'new/jwt-secret')).mode & 0o777).toBe(0o600);
  });

  it('must be given in production', () => {
    const settings = { ...enough, JWT_SECRET: undefined, NODE_ENV: 'production', DATA_DIR: folder };
    expect(() => readEnv(settings)).toThrow(/JWT_SECRET is missing: production needs/);
  });
});

it('takes max for one server process on each core', () => {
  expect(readEnv({ ...enough, WEB_CONCURRENCY: 'max' }).WEB_CONCURRENCY).toBe(
    availableParallelism(),
  );
});
