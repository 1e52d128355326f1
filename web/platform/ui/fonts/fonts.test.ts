import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;
const kept = readdirSync(here).filter((name) => !name.endsWith('.ts'));

it('has the fonts that the script makes from the installed packages, and their licences', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'web-fonts-'));
  try {
    const script = path.join(here, '../../../../scripts/web-fonts.mjs');
    execFileSync(process.execPath, [script, folder]);
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
    for (const name of kept) {
      const made = readFileSync(path.join(folder, name));
      expect(readFileSync(path.join(here, name)).equals(made), name).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('has fonts small enough to be loaded on every page', () => {
  const bytes = kept
    .filter((name) => name.endsWith('.woff2'))
    .reduce((sum, name) => sum + readFileSync(path.join(here, name)).length, 0);
  expect(bytes).toBeLessThan(45_000);
});
