import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

// A reader of our Dockerfile for machines without Docker: each stage becomes a folder, by its own COPY and RUN lines.

/** A stage that is laid out: the folder that stands for `/`, and what its lines say of programs. */
export interface Stage {
  folder: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  command: string[];
}

/** Returns the instructions, with the values of ARG put in. */
function parseDockerfile(text: string): [name: string, rest: string][] {
  const args: Record<string, string> = {};
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'ARG') {
      const [key = '', value = ''] = rest.split('=');
      args[key] = value;
    }
    return [name, rest.replaceAll(/\$\{(\w+)\}/g, (whole, key: string) => args[key] ?? whole)];
  });
}

/** Returns whether `.dockerignore` keeps a path of the build context out. */
function readIgnored(text: string): (file: string) => boolean {
  const sources = text
    .split('\n')
    .filter((line) => line !== '')
    .map((pattern) =>
      pattern
        .replaceAll('.', String.raw`\.`)
        .replaceAll('**/', '\0')
        .replaceAll('*', '[^/]*')
        .replaceAll('\0', '(.*/)?'),
    );
  const pattern = new RegExp(`^(${sources.join('|')})(/|$)`);
  return (file) => pattern.test(file);
}

/** Runs a command to its end, outside of the tests' mode of Node. @throws with its output when it fails */
export function runShell(command: string, cwd: string): void {
  const env = { ...process.env, NODE_ENV: '' };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} exited with ${status}: ${stdout}${stderr}`);
}

/**
 * Lays the stages of the Dockerfile in `context` out, each in a folder of `home`. `owner` (`uid:gid`) stands for the
 * image's user; `beforeRun` may prepare a stage for its next RUN line.
 * @returns the last stage
 * @throws at an instruction that it does not know
 */
export async function layOutImage({
  context,
  home,
  owner,
  beforeRun,
}: {
  context: string;
  home: string;
  owner: string;
  beforeRun: (stage: string, folder: string, command: string) => Promise<void>;
}): Promise<Stage> {
  const read = (name: string) => readFile(path.join(context, name), 'utf8');
  const isIgnored = readIgnored(await read('.dockerignore'));
  const stages = new Map<string, Stage>();
  let name = '';
  let stage: Stage | undefined;
  const inStage = (place: string) => {
    const { folder = '', workdir = '' } = stage ?? {};
    return path.join(folder, path.resolve(workdir, place));
  };

  async function copy(rest: string): Promise<void> {
    const words = rest.split(/\s+/);
    const [, from] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
    if (from) words.shift();
    const target = words.pop() ?? '';
    const root = from ? stages.get(from)?.folder : context;
    if (!root) throw new Error(`There is no stage ${from}.`);
    for (const word of words) {
      const source = path.join(root, word);
      const isFolder = (await stat(source)).isDirectory();
      await cp(
        source,
        isFolder ? inStage(target) : inStage(path.join(target, path.basename(word))),
        {
          recursive: true,
          verbatimSymlinks: true,
          filter: (file) => from !== undefined || !isIgnored(path.relative(context, file)),
        },
      );
    }
  }

  for (const [instruction, rest] of parseDockerfile(await read('Dockerfile'))) {
    if (instruction === 'FROM') {
      name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image';
      stage = { folder: path.join(home, name), workdir: '/', env: {}, user: 'root', command: [] };
      stages.set(name, stage);
      await mkdir(stage.folder, { recursive: true });
    } else if (!stage) {
      if (instruction !== 'ARG') throw new Error(`${instruction} stands before the first FROM.`);
    } else if (instruction === 'WORKDIR') {
      stage.workdir = rest;
      await mkdir(inStage('.'), { recursive: true });
    } else if (instruction === 'COPY') {
      await copy(rest);
    } else if (instruction === 'RUN') {
      const { folder } = stage;
      await beforeRun(name, inStage('.'), rest);
      // There is no other root here, so what begins with `/` begins with the stage's folder.
      runShell(
        rest.replaceAll(/(?<=\s)\/(?=\w)/g, `${folder}/`).replaceAll('node:node', owner),
        inStage('.'),
      );
    } else if (instruction === 'ENV') {
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value;
    } else if (instruction === 'USER') {
      stage.user = rest;
    } else if (instruction === 'CMD') {
      stage.command = JSON.parse(rest);
    } else if (!['VOLUME', 'EXPOSE'].includes(instruction)) {
      throw new Error(`${instruction} is not known here.`);
    }
  }
  if (!stage) throw new Error('The Dockerfile has no FROM.');
  return stage;
}
