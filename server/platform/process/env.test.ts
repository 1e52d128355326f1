import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnv, SETTINGS, SettingError, senderAddress } from './env.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'farmgate-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

const enough = {
  DATABASE_URL: 'postgres://farmgate@localhost/farmgate',
  REDIS_URL: 'redis://localhost:6379',
  JWT_SECRET: 'a secret of more than thirty-two characters',
};

/** Settings that only the commands and libraries read. */
const OTHER_SETTINGS = ['SEED', 'CHROMIUM_PATH', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

const example = readFileSync('.env.example', 'utf8');
/** The settings of .env.example, those that are commented out included. */
const shown = parseEnv(example.replaceAll(/^# (?=[A-Z\d_]+=)/gm, '')) as Record<string, string>;

describe('.env.example', () => {
  it('lists every setting and no other', () => {
    expect(Object.keys(shown).sort()).toEqual([...SETTINGS, ...OTHER_SETTINGS].sort());
  });

  it('explains each block of settings on the line above', () => {
    const lines = example.split('\n');
    const explained = lines.filter(
      (line, index) => /^(# )?[A-Z\d_]+=/.test(line) && /^# .*[.:]$/.test(lines[index - 1] ?? ''),
    );
    // A few settings share the explanation of the line before.
    expect(explained.length).toBeGreaterThanOrEqual(Object.keys(shown).length - 4);
  });

  it('shows the defaults, and examples that are valid', () => {
    const defaults: Record<string, unknown> = readEnv({ ...enough, NODE_ENV: 'development' });
    const written = parseEnv(example) as Record<string, string>;
    const read: Record<string, unknown> = readEnv({ ...enough, ...written });
    for (const name of Object.keys(written).filter((name) => SETTINGS.includes(name))) {
      expect([name, read[name]]).toEqual([name, defaults[name]]);
    }
    expect(() => readEnv(shown)).not.toThrow();
  });
});

it.each([
  ['https://farm.example', undefined, 'hello@farm.example'],
  ['https://www.market.farm.example:8443/', '', 'hello@market.farm.example'],
  ['http://localhost', undefined, 'hello@farmgate.test'],
  ['http://192.168.1.4', undefined, 'hello@farmgate.test'],
  ['http://[fd00::4]:3000', undefined, 'hello@farmgate.test'],
  ['https://farm.example', 'Hill Market <post@hill.example>', 'post@hill.example'],
  ['https://höfe.example', undefined, 'hello@xn--hfe-sna.example'],
  ['https://farm.example', 'Höfe <R&D!@HÖFE.example>', 'r&d!@xn--hfe-sna.example'],
  ['https://farm.example', 'post@mailhost', 'post@mailhost'],
])('a market at %s with MAIL_FROM=%s sends from %s', (PUBLIC_URL, MAIL_FROM, address) => {
  expect(senderAddress(readEnv({ ...enough, PUBLIC_URL, MAIL_FROM }))).toBe(address);
});

describe('an invalid setting', () => {
  it.each([
    ['PORT', '99999'],
    ['PORT', 'three thousand'],
    ['WEB_CONCURRENCY', '0'],
    ['DATABASE_URL', 'mysql://localhost/farmgate'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_PREFIX', 'farm gate'],
    ['PUBLIC_URL', 'farm.example'],
    ['MAIL_FROM', 'hello at farm.example'],
    ['MAIL_FROM', 'Hill Market <post@>'],
    ['JWT_SECRET', 'too short'],
    ['SMTP_URL', 'https://mail.example'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE_MS', '-1'],
    ['RATE_LIMIT_SCALE', '0'],
    ['TRUSTED_PROXIES', 'all'],
    ['S3_FORCE_PATH_STYLE', 'yes'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', '70000'],
    ['VAPID_SUBJECT', 'hello@farm.example'],
    ['MARKET_TIME_ZONE', 'Europe/Nowhere'],
    ['MARKET_TIME_ZONE', '+05:30'],
    ['MARKET_TIME_ZONE', 'EST'],
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

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['europe/berlin', 'Europe/Berlin'],
    [' Asia/Kolkata ', 'Asia/Kolkata'],
  ])('MARKET_TIME_ZONE=%s is %s', (given, zone) => {
    expect(readEnv({ ...enough, MARKET_TIME_ZONE: given }).MARKET_TIME_ZONE).toBe(zone);
  });

  it('an empty setting counts as absent', () => {
    expect(readEnv({ ...enough, PORT: '', PUBLIC_URL: '' })).toMatchObject({
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
    });
  });
});

describe('JWT_SECRET', () => {
  it('is generated once and stored in a file that only its owner can read', () => {
    const settings = { ...enough, JWT_SECRET: undefined, DATA_DIR: path.join(folder, 'new') };
    const { JWT_SECRET } = readEnv(settings);
    expect(JWT_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(readEnv(settings).JWT_SECRET).toBe(JWT_SECRET);
    expect(statSync(path.join(folder, 'new/jwt-secret')).mode & 0o777).toBe(0o600);
  });

  it('is required in production', () => {
    const settings = { ...enough, JWT_SECRET: undefined, NODE_ENV: 'production', DATA_DIR: folder };
    expect(() => readEnv(settings)).toThrow(/JWT_SECRET is missing: production needs/);
  });
});

it.each(['JWT_SECRET', 'METRICS_TOKEN'])('rejects the sample %s in production only', (name) => {
  const sample = shown[name] ?? '';
  expect(sample).not.toBe('');
  for (const given of [sample, ` ${sample} `]) {
    expect(() => readEnv({ ...enough, NODE_ENV: 'production', [name]: given })).toThrow(
      `The setting ${name} is the sample of .env.example: production needs one of its own.`,
    );
  }
  expect(() => readEnv({ ...enough, [name]: sample })).not.toThrow();
  expect(() =>
    readEnv({ ...enough, NODE_ENV: 'production', [name]: `${sample}, and more` }),
  ).not.toThrow();
});

it('reads WEB_CONCURRENCY=max as one process per core', () => {
  expect(readEnv({ ...enough, WEB_CONCURRENCY: 'max' }).WEB_CONCURRENCY).toBe(
    availableParallelism(),
  );
});
