// @vitest-environment happy-dom
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';

/** The modules that a visitor's page `/` loads without any event or interaction. */
const STARTS = ['web/main.tsx', 'web/pages/home/HomePage.tsx', 'web/app/live/live.ts'];

/** Import and export statements that remain in the JavaScript; type-only ones do not. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:(?:[\w*\s{},$]|type )+\sfrom\s+)?'([^']+)'/gm;

/** Returns every module that these import statically; packages by their name. */
function loadedBy(starts: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!existsSync(file) || !/\.tsx?$/.test(file)) return;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) visit(join(dirname(file), name));
      else if (name.startsWith('#')) visit(`${name.slice(1)}.ts`);
      else visit(name);
    }
  };
  for (const start of starts) visit(start);
  return loaded;
}

it('loads neither the validation library nor the schemas with the first page', () => {
  const loaded = [...loadedBy(STARTS)];
  expect(loaded).toContain('web/catalogue/products/queries.ts');
  expect(loaded).toContain('contract/catalogue/products/constants/products.ts');
  expect(loaded).toContain('react');
  expect(loaded).not.toContain('zod');
  expect(
    loaded.filter((file) => file.startsWith('contract/') && !/\/constants(\/|\.ts$)/.test(file)),
  ).toEqual([]);
});

it('changes nothing and lists no pages on the first page, so their part of the query library stays away', () => {
  const loaded = [...loadedBy(STARTS)].filter((file) => existsSync(file));
  const users = loaded.filter((file) =>
    /\b(useMutation|useInfiniteQuery|useQueries)\(/.test(readFileSync(file, 'utf8')),
  );
  expect(users).toEqual([]);
});

it('finds the schemas among the modules of a page that needs them', () => {
  const loaded = [...loadedBy(['web/pages/people/LoginPage.tsx'])];
  expect(loaded).toContain('contract/people/auth/auth.ts');
  expect(loaded).toContain('zod');
});

it('validates without compiling code, which the Content-Security-Policy forbids', async () => {
  const compile = vi.spyOn(globalThis, 'Function');
  const { Login } = await import('#contract/people/auth/auth');
  expect(Login.safeParse({ email: 'a@b.test', password: 'x' }).success).toBe(true);
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});
