import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;

it('is the font that the script makes from the installed Inter, and its licence', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'currency-font-'));
  try {
    const script = path.join(here, '../../../scripts/currency-font.mjs');
    execFileSync(process.execPath, [script, folder]);
    for (const name of ['currency.woff2', 'LICENSE']) {
      const made = readFileSync(path.join(folder, name));
      expect(readFileSync(path.join(here, name)).equals(made)).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is small enough to be loaded on every page', () => {
  expect(readFileSync(path.join(here, 'currency.woff2')).length).toBeLessThan(2048);
});
