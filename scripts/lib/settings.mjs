import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
