import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { texts } from './vite.texts.ts';

/**
 * The pages that the server renders: the same components as the web client's, built to `dist/pages` with all their
 * packages, which are those of production whatever NODE_ENV is when they run.
 */
export default defineConfig({
  root: 'web',
  plugins: [react({ jsxImportSource: '#jsx' }), texts()],
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    ssr: 'render.tsx',
    outDir: '../dist/pages',
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node20',
    // The names of the client's files, which are files there too.
    assetsInlineLimit: 0,
    sourcemap: true,
  },
});
