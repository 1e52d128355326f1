import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { print } from './output.mjs';
import { runQuietly } from './processes.mjs';
import { root } from './settings.mjs';

const sharedSources = ['package.json', 'package-lock.json', 'tsconfig.json'];
const vite = 'node_modules/vite/bin/vite.js';

/** The database client, which is made in the sources. */
const client = {
  name: 'the database client',
  sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  result: 'prisma/generated',
  command: ['node_modules/prisma/build/index.js', 'generate'],
};

/** The parts of a release: a folder each, with the sources and the configuration it is built from. */
const parts = {
  web: {
    name: 'the web client',
    sources: [
      'web',
      'contract',
      'vite.config.ts',
      'vite.chunks.ts',
      'vite.offline.ts',
      'vite.pages.ts',
      'vite.texts.ts',
      'locales',
      ...sharedSources,
    ],
    config: 'vite.config.ts',
  },
  pages: {
    name: 'the pages',
    sources: ['web', 'contract', 'locales', 'vite.pages.config.ts', ...sharedSources],
    config: 'vite.pages.config.ts',
  },
  server: {
    name: 'the server',
    sources: [
      'contract',
      'server',
      'workers',
      'prisma',
      'demo',
      'locales',
      'vite.server.config.ts',
      ...sharedSources,
    ],
    config: 'vite.server.config.ts',
  },
};

const dist = join(root, 'dist');
const releases = join(dist, 'releases');
/** A link to the release that is started next; those in `dist` to its parts go through it. */
const current = join(dist, 'current');
/** Processes mark the release that they run each hour: server/platform/process/release.ts. */
const UNUSED_AFTER_MS = 86_400_000;

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

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** Runs a program of a package, and stores what its result was made from. */
async function build(name, command, stampFile, stamp) {
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
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Generates the Prisma client when the schema has changed. */
export async function ensureClient() {
  const stampFile = join(dist, '.made-from', client.name.replaceAll(' ', '-'));
  const stamp = fingerprint(client.sources);
  if (existsSync(join(root, client.result)) && readIfThere(stampFile) === stamp) return;
  await build(client.name, client.command, stampFile, stamp);
}

/**
 * Builds the web client, the pages that the server renders and the server programs, or only those `wanted` of them,
 * where their sources changed: as a release of its own, beside the one that runs. Then switches to it at once.
 */
export async function ensureBuilt(wanted = Object.keys(parts)) {
  await ensureClient();
  const stamps = Object.fromEntries(wanted.map((part) => [part, fingerprint(parts[part].sources)]));
  const stampOf = (release, part) => join(release, '.made-from', part);
  const changed = wanted.filter((part) => readIfThere(stampOf(current, part)) !== stamps[part]);
  if (changed.length === 0) {
    linkParts();
    return;
  }
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}`;
  const draft = join(releases, `.${name}`);
  const buildPart = (part) => {
    const { config } = parts[part];
    const options = ['--logLevel', 'warn', '--config', config, '--outDir', join(draft, part)];
    const command = [vite, 'build', ...options];
    return build(parts[part].name, command, stampOf(draft, part), stamps[part]);
  };
  try {
    const outcomes = await Promise.allSettled(changed.map(buildPart));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    for (const part of Object.keys(parts)) {
      if (changed.includes(part) || !existsSync(stampOf(current, part))) continue;
      cpSync(join(current, part), join(draft, part), { recursive: true });
      cpSync(stampOf(current, part), stampOf(draft, part));
    }
    renameSync(draft, join(releases, name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  link(join('releases', name), current);
  linkParts();
  removeUnused();
}

/** Gives the parts of the current release their places in `dist`. */
function linkParts() {
  for (const part of Object.keys(parts)) link(join('current', part), join(dist, part));
}

/** Makes `path` a link to `target`, whatever it was. */
function link(target, path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(path) === target) return;
  if (found?.isDirectory()) rmSync(path, { recursive: true });
  const draft = `${path}.${process.pid}`;
  symlinkSync(target, draft);
  renameSync(draft, path);
}

/** Removes the releases that no process has run for a day. */
function removeUnused() {
  const present = join(dist, readlinkSync(current));
  for (const name of readdirSync(releases)) {
    const release = join(releases, name);
    const usedMs = statSync(release, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (release !== present && Date.now() - usedMs > UNUSED_AFTER_MS) {
      rmSync(release, { recursive: true, force: true });
    }
  }
}
