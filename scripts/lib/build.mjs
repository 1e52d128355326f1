import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './output.mjs';
import { runQuietly } from './processes.mjs';
import { root } from './settings.mjs';

const shared = ['package.json', 'package-lock.json', 'tsconfig.json'];
const vite = 'node_modules/vite/bin/vite.js';

/**
 * What is made from the sources: the files each is made of, a file that it consists of, and how. The
 * web client takes contracts alone from the server.
 */
const products = {
  client: {
    name: 'the database client',
    sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    result: 'prisma/generated',
    command: ['node_modules/prisma/build/index.js', 'generate'],
  },
  web: {
    name: 'the web client',
    sources: ['web', 'server', 'vite.config.ts', ...shared],
    only: (path) => !path.startsWith('server/') || path.endsWith('contract.ts'),
    result: 'dist/web/index.html',
    command: [vite, 'build', '--logLevel', 'warn'],
  },
  server: {
    name: 'the server',
    sources: ['server', 'workers', 'prisma', 'vite.server.config.ts', ...shared],
    result: 'dist/server/server.js',
    command: [vite, 'build', '--logLevel', 'warn', '--config', 'vite.server.config.ts'],
  },
};

const isSource = (path) => path !== 'prisma/generated' && !/\.test\.tsx?$/.test(path);

function filesUnder(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  const children = readdirSync(join(root, path)).sort();
  return children
    .map((name) => `${path}/${name}`)
    .filter(isSource)
    .flatMap(filesUnder);
}

function fingerprint({ sources, only = () => true }) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesUnder).filter(only)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function ensure({ name, result, command, ...product }) {
  const stamp = join(root, 'dist/.made-from', name.replaceAll(' ', '-'));
  const print = fingerprint(product);
  const upToDate =
    existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (upToDate) return;
  say(`Building ${name} …`);
  await runQuietly(process.execPath, command, `Building ${name} failed:`, {
    cwd: root,
    env: {
      ...process.env,
      // `prisma generate` insists on this program, which it would fetch from the network, and then
      // never runs it: any file will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    },
  });
  mkdirSync(join(root, 'dist/.made-from'), { recursive: true });
  writeFileSync(stamp, print);
}

/** Generates the Prisma client when the schema changed since. */
export const ensureClient = () => ensure(products.client);

/** Generates and builds all that changed since the last time: Prisma client, web client, server programs. */
export async function ensureBuilt() {
  await ensureClient();
  const outcomes = await Promise.allSettled([ensure(products.web), ensure(products.server)]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
