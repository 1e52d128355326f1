import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  constants,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { adminApi } from '#contract/admin/admin/constants';
import { picklistFiles } from '#contract/ordering/picklist/constants';
import { MONTH_LATER } from '../server/testing/awake.ts';
import { createTestDatabase } from '../server/testing/database.ts';
import { killOnExit } from '../server/testing/kill-on-exit.ts';
import { uploadPicture } from '../server/testing/upload-picture.ts';
import { scaled, until } from '../testing/until.ts';
import { layOutImage, runShell, type Stage } from './dockerfile.ts';
import { callApi } from './faults/helpers.ts';
import { doMainJob } from './main-job.ts';
import { dayFromNow } from './open-market.ts';
import { ACCOUNTS, type Session, sharedBrowser, signIn } from './people.ts';
import { freePort, SECRET } from './stack.ts';

// The image on a machine without Docker: its folder as the Dockerfile makes it, its programs as docker-compose.yml
// starts them, by a user without rights, on files that cannot be written.

const PACKAGES_MAX_MB = 250;

/** Root may write everywhere, so another user stands for the image's then. */
const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const owner = `${ids.uid ?? process.getuid?.()}:${ids.gid ?? process.getgid?.()}`;

type Service = { command?: string[]; environment: Record<string, string | number> };
type Name = 'migrate' | 'demo-market' | 'server' | 'worker' | 'backup';

let home: string;
let image: Stage;
let services: Record<Name, Service>;
let settings: Record<string, string>;
let url: string;
const databases: Awaited<ReturnType<typeof createTestDatabase>>[] = [];

/** Gives the build the packages of this checkout, which npm then only compares with the lock file. */
async function copyPackages(stage: string, folder: string): Promise<void> {
  const target = path.join(folder, 'node_modules');
  const list = path.join(target, '.package-lock.json');
  if (stage !== 'build' || (await readdir(folder)).includes('node_modules')) return;
  const copy = (flags: string) => spawnSync('cp', [flags, path.resolve('node_modules'), target]);
  // Links take no time, but reach no other file system.
  if (copy('-al').status !== 0) copy('-a');
  // npm writes this file in place.
  const text = await readFile(list);
  await rm(list);
  await writeFile(list, text);
}

/** Returns a path of the image as one of this machine. */
const onMachine = (text: string) => (text.startsWith('/') ? path.join(image.folder, text) : text);

/** Puts Compose's variables into a text of its file. */
const interpolate = (text: string): string =>
  text.replaceAll(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, fallback = '') => settings[name] ?? fallback,
  );

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'farmgate-image-'));
  await chmod(home, 0o755);
  image = await layOutImage({ context: process.cwd(), home, owner, beforeRun: copyPackages });
  // As in the base image, and where the image's user may run it.
  await mkdir(onMachine('/usr/bin'), { recursive: true });
  await copyFile(process.execPath, onMachine('/usr/bin/node'), constants.COPYFILE_FICLONE);
  runShell(`chmod -R a+rX,a-w ${onMachine(image.workdir)}`, home);

  services = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }).services;
  databases.push(await createTestDatabase('template1'), await createTestDatabase('template1'));
  url = `http://localhost:${await freePort()}`;
  settings = {
    POSTGRES_PASSWORD: 'secret',
    JWT_SECRET: SECRET,
    PUBLIC_URL: url,
    MARKET_TIME_ZONE: 'UTC',
    RATE_LIMIT_SCALE: '10000',
  };
}, scaled(400_000));
afterAll(async () => {
  await Promise.all(databases.map(({ drop }) => drop()));
  spawnSync('chmod', ['-R', 'u+w', home]);
  await rm(home, { recursive: true, force: true });
});

/** Starts a program as Compose does a service, with stores and ports of the test. */
async function start(name: Name, own: Record<string, string | undefined> = {}, more?: string[]) {
  const { command = image.command, environment } = services[name];
  const [, ...args] = more ?? command;
  const env = Object.fromEntries(
    [...Object.entries(image.env), ...Object.entries(environment)].map(([key, value]) => [
      key,
      onMachine(interpolate(String(value))),
    ]),
  );
  const child: ChildProcess = spawn(
    onMachine('/usr/bin/node'),
    args.map((arg) => onMachine(interpolate(arg))),
    {
      ...ids,
      cwd: onMachine(image.workdir),
      env: {
        ...env,
        PATH: '/usr/bin:/bin',
        HOST: '127.0.0.1',
        DATABASE_URL: databases[0]?.url,
        REDIS_URL: process.env.REDIS_URL,
        REDIS_PREFIX: path.basename(home),
        METRICS_PORT: String(await freePort()),
        ...own,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  killOnExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const ready = (address: string) =>
    until(`${name} to be ready`, async () => {
      if (child.exitCode !== null) throw new Error(`${name} exited: ${output}`);
      return fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  return { child, closed, ready, output: () => output };
}

/** Returns the beginning of tomorrow's pick list on paper. */
async function readPaper({ token }: Session): Promise<string> {
  const body = { date: dayFromNow(1) };
  const made = await callApi(url, 'POST', '/farm/picklist/prints', { token, body });
  const file = `${url}/api${picklistFiles.print(made.body.data._id)}`;
  const response = await fetch(file, { headers: { authorization: `Bearer ${token}` } });
  return (await response.text()).slice(0, 20);
}

/** Returns the page of the job queues, which an admin opens by a cookie. */
async function readBoard({ token }: Session): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const opened = await fetch(`${url}/api${adminApi.openQueues.path}`, { method: 'POST', headers });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  return (await fetch(`${url}/admin/queues`, { headers: { cookie } })).text();
}

/** Runs a program to its end. @returns its output */
async function run(...args: Parameters<typeof start>): Promise<string> {
  const { closed, output } = await start(...args);
  expect(await closed, output()).toBe(0);
  return output();
}

/** By day a new order would ring, and its sheet take the place of the toast that the main job looks for. */
async function letNoneRing(): Promise<void> {
  const client = new pg.Client({ connectionString: databases[0]?.url });
  await client.connect();
  await client.query('UPDATE farmer_profiles SET escalation = $1', [MONTH_LATER]);
  await client.end();
}

it('holds what its programs load, and little else', () => {
  const { stdout } = spawnSync('du', ['-sm', onMachine('/app/node_modules')], { encoding: 'utf8' });
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(PACKAGES_MAX_MB);
  expect(image.user).not.toBe('root');
});

it('migrates, seeds, serves the main job, backs up and restores', async () => {
  await run('migrate');
  await run('demo-market');
  const { port } = new URL(url);
  const workerPort = String(await freePort());
  const server = await start('server', { PORT: port });
  const worker = await start('worker', { WORKER_PORT: workerPort });
  await server.ready(url);
  await worker.ready(`http://localhost:${workerPort}`);

  await letNoneRing();
  await doMainJob(await sharedBrowser(), url);

  // What reads files beside the programs, or native packages.
  const farmer = await signIn(url, ACCOUNTS.farmer);
  const admin = await signIn(url, ACCOUNTS.admin);
  expect((await uploadPicture(url, farmer)).status).toBe(201);
  const paper = await readPaper(farmer);
  expect(paper).toMatch(/^%PDF-/);
  const card = await fetch(`${url}/cards/farm/${farmer.user._id}.jpg`);
  expect(card.headers.get('content-type')).toBe('image/jpeg');
  expect(await readBoard(admin)).toContain('Farmgate queues');

  const done = await run('backup');
  const [name = ''] = await readdir(onMachine('/backups'));
  expect(name, done).toMatch(/^farmgate-/);
  const restore = ['node', 'dist/server/restore.js', '--from', `/backups/${name}`];
  await run('backup', { DATABASE_URL: databases[1]?.url }, restore);

  for (const { child, closed, output } of [server, worker]) {
    child.kill('SIGTERM');
    expect(await closed, output()).toBe(0);
    expect(output()).not.toMatch(/"level":[56]0|EACCES|EROFS|ENOENT/);
  }
});
