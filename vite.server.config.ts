import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

/**
 * Packages that are native, or read files that lie beside their own, are not built in: `dependencies` are those alone,
 * and `bullmq`, which the board of queues asks for beside itself.
 */
const LEFT_OUTSIDE = Object.keys(manifest.dependencies).filter((name) => name !== 'bullmq');

/** Node reads the map of each file as it starts: only our own sources are worth that. */
const withoutMapsOfPackages: Plugin = {
  name: 'without-maps-of-packages',
  transform: {
    filter: { id: /\/node_modules\/|\/prisma\/generated\// },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** A release has its own translations: its sentences may be others than those of the next one. */
const translations: Plugin = {
  name: 'translations',
  generateBundle() {
    for (const name of readdirSync('locales')) {
      const source = readFileSync(`locales/${name}`);
      this.emitFile({ type: 'asset', fileName: `locales/${name}`, source });
    }
  },
};

/**
 * Server-side programs, built with their packages (docs/adr/0024): one file each in `dist/server`, and what they share.
 */
export default defineConfig({
  plugins: [withoutMapsOfPackages, translations],
  ssr: { noExternal: true, external: LEFT_OUTSIDE },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      // A package of Koa's makes a function from text that is its own.
      checks: { eval: false },
      // Node keeps the text of every file. Names stay, for the traces of errors in packages, which have no maps.
      output: { minify: { compress: false, mangle: false, codegen: true } },
      input: {
        server: 'server/main.ts',
        workers: 'workers/main.ts',
        'picture-decoder': 'server/platform/uploads/decoder.ts',
        migrate: 'prisma/migrate.ts',
        seed: 'demo/main.ts',
        'create-admin': 'server/create-admin.ts',
        'remove-second-factor': 'server/remove-second-factor.ts',
        'held-deliveries': 'server/held-deliveries.ts',
        backup: 'server/backup.ts',
        restore: 'server/restore.ts',
      },
    },
  },
});
