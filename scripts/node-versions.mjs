import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { print, UserError } from './lib/output.mjs';
import { freePort } from './lib/ports.mjs';
import { findOnPath, runQuietly, runToEnd, startProcess } from './lib/processes.mjs';
import { waitUntilServing } from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';

/** The oldest that `engines` allows, and those with long support. */
const [oldest] = /\d+\.\d+/.exec(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node,
);
const VERSIONS = [oldest, '24', '26'];

/** Installs a version of Node from npm, beside what the project uses. Returns the path of its program. */
async function installNode(version, folder) {
  mkdirSync(folder, { recursive: true });
  const npm = findOnPath('npm');
  if (!npm) throw new UserError('npm is not on the PATH: it comes with Node.js.');
  // The package `node` fetches this one by a script; none runs here.
  const build = `${process.platform}-${process.arch}`;
  const name = build === 'darwin-arm64' ? `node-bin-${build}` : `node-${build}`;
  await runQuietly(
    npm,
    ['install', '--prefix', folder, '--no-save', '--loglevel=error', `${name}@${version}`],
    `Node ${version} could not be installed:`,
    { cwd: folder },
  );
  return join(folder, 'node_modules', name, 'bin/node');
}

/** Starts the product with the demo market on stores of its own, waits until it serves, and stops it. */
async function startProduct(node, settings, folder) {
  const port = String(await freePort());
  const env = { ...process.env, PORT: port, HOST: 'localhost', DATA_DIR: join(folder, 'data') };
  const program = startProcess(node, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...env, PUBLIC_URL: '', METRICS_PORT: '', WORKER_PORT: '', SEED: 'demo' },
    stdio: 'inherit',
    stop: [
      ['SIGTERM', settings.graceMs + 10_000],
      ['SIGKILL', 5000],
    ],
  });
  await waitUntilServing(`http://localhost:${port}`, [{ name: 'npm start', ...program }]);
  await program.stop();
}

/**
 * `npm run test:node`: starts the product and runs the quick tests on the oldest Node that is supported and on those
 * with long support, or on the versions that are named as arguments.
 */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const named = process.argv.slice(2);
  for (const version of named.length > 0 ? named : VERSIONS) {
    const folder = join(settings.dataDir, 'node', version);
    const node = await installNode(version, folder);
    print(`Starting the product on Node ${version} …`);
    await startProduct(node, settings, folder);
    print(`Running the quick tests on Node ${version} …`);
    const code = await runToEnd(node, ['scripts/test.mjs', 'quick'], { cwd: root });
    if (code !== 0) throw new UserError(`The quick tests failed on Node ${version}.`);
  }
});
