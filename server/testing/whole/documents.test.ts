import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Finds `consumer: *one name*, *another …*` in the README of the browser tests. */
const NAMED_TESTS = /`?([a-z][\w/-]*)`?: ((?:\*[^*]+\*(?:, )?)+)/g;

/** Returns a pattern for a test's name, which may be shortened with `…`. */
const patternOf = (name: string): RegExp =>
  new RegExp(
    name
      .split('…')
      .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

it('names only existing tests and files in e2e/README.md', () => {
  const readme = readFileSync('e2e/README.md', 'utf8');
  const named = [...readme.matchAll(NAMED_TESTS)].flatMap(([, file, names = '']) =>
    [...names.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ file, name }) => {
    const path = `e2e/${file}.test.ts`;
    return !existsSync(path) || !patternOf(name).test(readFileSync(path, 'utf8'));
  });
  expect(missing).toEqual([]);

  const paths = [...readme.matchAll(/`((?:live|web)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const isThere = (path: string) => existsSync(path) || existsSync(`e2e/${path}.test.ts`);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

it('says what each browser test shows in e2e/README.md', () => {
  const table = readFileSync('e2e/README.md', 'utf8').split('\n## ')[0];
  const files = readdirSync('e2e').filter((name) => name.endsWith('.test.ts'));
  const names = files.map((name) => name.replace('.test.ts', ''));
  expect(names.filter((name) => !table?.includes(`\`${name}\``))).toEqual([]);
});
