import { defineConfig } from 'vite';

/** Server-side programs: one plain JavaScript file each in `dist/server`, packages left outside. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      input: {
        server: 'server/main.ts',
        workers: 'workers/main.ts',
        'picture-decoder': 'server/uploads/decoder.ts',
        migrate: 'prisma/migrate.ts',
        seed: 'demo/main.ts',
        'create-admin': 'server/create-admin.ts',
        'remove-second-factor': 'server/remove-second-factor.ts',
        backup: 'server/backup.ts',
        restore: 'server/restore.ts',
      },
    },
  },
});
