import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HEALTH_KEYS, HEALTH_SECTIONS } from '#contract/admin/health/constants';
import { LIMITS } from '../../admin/health/figures.ts';
import { SETTINGS } from '../../platform/process/env.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

const guide = read('docs/operating.md');
const alarms = read('docs/alarms.yml');
const compose = read('docker-compose.yml');
const headings = [...guide.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
const anchorOf = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')}`;

/** Settings that programs beside the processes read. */
const OTHER_SETTINGS = ['SEED', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

describe('docs/operating.md', () => {
  it('names only settings that there are', () => {
    const inEnv = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)];
    const inCompose = [...compose.matchAll(/\$\{([A-Z][A-Z0-9_]+)/g)];
    const known = new Set([
      ...SETTINGS,
      ...OTHER_SETTINGS,
      ...[...inEnv, ...inCompose].map(([, name]) => name),
    ]);
    const named = [...guide.matchAll(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('calls only commands that there are, with options that they take', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = [
      ...guide.matchAll(
        /npm run (?:--silent )?([\w:-]+)((?: -- (?:--?[\w-]+(?: [^\s`-][^\s`]*)? ?)+)?)/g,
      ),
    ];
    expect(commands.length).toBeGreaterThan(8);
    for (const [, name = '', args = ''] of commands) {
      expect(Object.keys(scripts), name).toContain(name);
      const options = [...args.replace(' -- ', ' ').matchAll(/ (--[\w-]+)/g)].map(
        ([, each]) => each,
      );
      if (options.length === 0) continue;
      const usage = read(`server/${name}.ts`);
      for (const option of options) {
        const isTaken = usage.includes(`${option} `) || usage.includes(`${option}]`);
        expect(isTaken, `${name} ${option}`).toBe(true);
      }
    }
    for (const [, file = ''] of guide.matchAll(/(scripts\/[\w-]+\.mjs)/g)) {
      expect(existsSync(file), file).toBe(true);
    }
    const programs = read('vite.server.config.ts');
    for (const [, program = ''] of guide.matchAll(/dist\/server\/([\w-]+)\.js/g)) {
      expect(programs).toMatch(new RegExp(`'?${program}'?: '`));
    }
  });

  it('runs only services of docker-compose.yml', () => {
    const named = [
      ...guide.matchAll(
        /docker compose (?:run --rm|stop) ((?:server|worker|backup|\w+)(?: worker)?)/g,
      ),
    ];
    expect(named.length).toBeGreaterThan(2);
    for (const [, services = ''] of named) {
      for (const service of services.split(' '))
        expect(compose).toMatch(new RegExp(`^  ${service}:$`, 'm'));
    }
  });

  it('links only to sections and files that there are', () => {
    const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const anchors = headings.map(anchorOf);
    for (const link of links) {
      if (link.startsWith('#')) expect(anchors).toContain(link);
      else expect(existsSync(path.join('docs', link)), link).toBe(true);
    }
  });

  it('quotes only log lines that there are', () => {
    const sources = ['server', 'workers'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => read(path.join(folder, name))),
    );
    const code = sources.join('\n');
    const quoted = [...guide.matchAll(/"([A-Z][^"]{15,})"/g)].map(([, line = '']) =>
      line.replaceAll(/\s+/g, ' '),
    );
    expect(quoted.length).toBeGreaterThan(6);
    expect(quoted.filter((line) => !code.includes(line))).toEqual([]);
  });

  it('has the section of every line of the health page', () => {
    for (const key of HEALTH_KEYS) expect(headings, key).toContain(HEALTH_SECTIONS[key]);
  });
});

describe('docs/alarms.yml', () => {
  const rules = alarms.split('- alert: ').slice(1);

  it('has the alarms of the guide, each with its section', () => {
    const inGuide = [...guide.matchAll(/^\| `(Farmgate\w+)` \|.*\]\((#[\w-]+)\) \|$/gm)];
    const inRules = rules.map((rule) => [
      rule.split('\n')[0],
      anchorOf(/section: (.+?) \}/.exec(rule)?.[1] ?? ''),
    ]);
    expect(inRules.length).toBeGreaterThan(10);
    expect(Object.fromEntries(inGuide.map(([, name, anchor]) => [name, anchor]))).toEqual(
      Object.fromEntries(inRules),
    );
  });

  it('asks only for metrics that the dashboard shows', () => {
    const dashboard = read('docs/grafana.json');
    const names = [...alarms.matchAll(/\b((?:farmgate|nodejs|process)_\w+)/g)].map(
      ([, name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(dashboard).toContain(name);
  });

  it('rings where the health page turns amber', () => {
    const ruleOf = (name: string) => rules.find((rule) => rule.startsWith(name)) ?? '';
    expect(ruleOf('FarmgateNoBackup')).toContain(`> ${LIMITS.backupHours.warning} * 3600`);
    expect(ruleOf('FarmgateConnections')).toContain(`> ${LIMITS.sockets.warning}`);
    expect(ruleOf('FarmgateOverloaded')).toContain(`> ${LIMITS.eventLoopMs.warning / 1000}`);
    expect(ruleOf('FarmgateEventsLate')).toContain(`> ${LIMITS.eventSeconds.warning}\n`);
  });
});

it('every health text names the log line that there is', () => {
  const texts = read('web/admin/admin/health/HealthParts.tsx');
  const quoted = [...texts.matchAll(/"([A-Z][^"]{15,})"/g)].map(([, line = '']) => line);
  expect(quoted.length).toBeGreaterThan(0);
  const code = ['server/platform/events/event-log.ts', 'server/platform/events/follow.ts']
    .map(read)
    .join('\n');
  for (const line of quoted) expect(code).toContain(line);
});
