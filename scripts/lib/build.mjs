import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from './output.mjs';
import { runQuietly } from './processes.mjs';
import { root } from './settings.mjs';

const sharedSources = ['package.json', 'package-lock.json', 'tsconfig.json'];
const vite = 'node_modules/vite/bin/vite.js';

/** What is built from the sources: the input files, one output file, and the command. */
const artifacts = {
  client: {
    name: 'the database client',
    sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    result: 'prisma/generated',
    command: ['node_modules/prisma/build/index.js', 'generate'],
  },
  web: {
    name: 'the web client',
    sources: [
      'web',
      'contract',
      'vite.config.ts',
      'vite.chunks.ts',
      'vite.offline.ts',
      'vite.pages.ts',
      ...sharedSources,
    ],
    result: 'dist/web/index.html',
    command: [vite, 'build', '--logLevel', 'warn'],
  },
  pages: {
    name: 'the pages',
    sources: ['web', 'contract', 'vite.pages.config.ts', ...sharedSources],
    result: 'dist/pages/render.js',
    command: [vite, 'build', '--logLevel', 'warn', '--config', 'vite.pages.config.ts'],
  },
  server: {
    name: 'the server',
    sources: [
      'contract',
      'server',
      'workers',
      'prisma',
      'demo',
      'vite.server.config.ts',
      ...sharedSources,
    ],
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

function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesUnder)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function ensure({ name, sources, result, command }) {
  const stampFile = join(root, 'dist/.made-from', name.replaceAll(' ', '-'));
  const current = fingerprint(sources);
  const upToDate =
    existsSync(join(root, result)) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === current;
  if (upToDate) return;
  print(`Building ${name} …`);
  await runQuietly(process.execPath, command, `Building ${name} failed:`, {
    cwd: root,
    env: {
      ...process.env,
      // `prisma generate` never runs the schema engine but downloads it when no path is given, so any
      // existing file will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    },
  });
  mkdirSync(join(root, 'dist/.made-from'), { recursive: true });
  writeFileSync(stampFile, current);
}

/** Generates the Prisma client when the schema has changed. */
export const ensureClient = () => ensure(artifacts.client);

/**
 * Generates the Prisma client and builds the web client, the pages that the server renders and the server programs,
 * or only those `parts` of the latter three, where their sources changed.
 */
export async function ensureBuilt(parts = ['web', 'pages', 'server']) {
  await ensureClient();
  const outcomes = await Promise.allSettled(parts.map((part) => ensure(artifacts[part])));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
