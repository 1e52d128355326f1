import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the version of this build, from the `package.json` it runs beside. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.resolve('package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
