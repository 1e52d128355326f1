import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

// The command that builds, in a small project whose compiler copies one file, and says what was there meanwhile.

const COMPILER = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
const folder = process.argv[process.argv.indexOf('--outDir') + 1];
const part = basename(folder);
const source = readFileSync(part + '/source.ts', 'utf8');
if (source === 'broken') throw new Error('It does not compile');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'built.txt'), source);
const before = 'dist/' + part + '/built.txt';
writeFileSync(part + '-before.txt', existsSync(before) ? readFileSync(before) : 'nothing');
`;

let folder: string;
const read = (name: string) => readFile(path.join(folder, name), 'utf8');
const write = async (name: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};
const built = (part: string) => read(`dist/${part}/built.txt`);
const releases = async () => (await readdir(path.join(folder, 'dist/releases'))).sort();

/** Builds the project. @returns what was printed */
const build = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const program = "import('./scripts/lib/build.mjs').then((module) => module.ensureBuilt())";
    execFile(process.execPath, ['-e', program], { cwd: folder }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    );
  });

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'farmgate-build-')));
  await cp('scripts', path.join(folder, 'scripts'), { recursive: true });
  await write('package.json', '{ "type": "module" }');
  await write('node_modules/vite/bin/vite.js', COMPILER);
  await write('node_modules/vite/package.json', '{ "type": "module" }');
  await write('node_modules/prisma/build/index.js', '');
  await write('prisma/generated/client.ts', '');
  await write('web/source.ts', 'web 1');
  await write('server/source.ts', 'server 1');
  await write('pages/source.ts', 'pages');
});
afterEach(() => rm(folder, { recursive: true }));

it('builds what has changed as a release of its own, beside the one that runs', async () => {
  expect(await build()).toMatch(/web client[\s\S]*pages[\s\S]*server/);
  expect([await built('web'), await built('server')]).toEqual(['web 1', 'server 1']);
  const running = await realpath(path.join(folder, 'dist/web'));

  await write('web/source.ts', 'web 2');
  expect(await build()).not.toContain('the server');
  // Until the end there was what was there before, and it stays where it is.
  expect(await read('web-before.txt')).toBe('web 1');
  expect(await readFile(path.join(running, 'built.txt'), 'utf8')).toBe('web 1');
  expect([await built('web'), await built('server')]).toEqual(['web 2', 'server 1']);
  expect(await releases()).toHaveLength(2);

  expect(await build()).toBe('');
  expect(await releases()).toHaveLength(2);
});

it('leaves everything as it is when it fails', async () => {
  await build();
  const before = await releases();
  await write('web/source.ts', 'web 2');
  await write('server/source.ts', 'broken');
  await expect(build()).rejects.toThrow('It does not compile');
  expect([await built('web'), await built('server')]).toEqual(['web 1', 'server 1']);
  expect(await releases()).toEqual(before);
});

it('removes a release that no process has run for a day', async () => {
  await build();
  const [first = ''] = await releases();
  await write('web/source.ts', 'web 2');
  await build();
  const second = (await releases())[1] ?? '';
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(path.join(folder, 'dist/releases', first), yesterday, yesterday);
  await write('web/source.ts', 'web 3');
  await build();
  const left = await releases();
  expect(left).toHaveLength(2);
  expect(left).toContain(second);
});

it('takes the place of a build of before there were releases', async () => {
  await write('dist/web/index.html', 'in place');
  await build();
  expect(await built('web')).toBe('web 1');
});
