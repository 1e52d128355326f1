import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = `http://localhost:${process.env.PORT ?? 3000}`;

/**
 * Sonner writes its styles into the page's head when it is loaded, which the page's policy
 * (`style-src 'self'`) forbids. We import the same styles as a file, and take the writing out.
 */
const sonnerWithoutStyleElement: Plugin = {
  name: 'sonner-without-style-element',
  transform(code, id) {
    if (!/\/sonner\/dist\/index\.mjs/.test(id)) return undefined;
    const written = /^__insertCSS\(.*\);$/m;
    if (!written.test(code)) {
      this.error('sonner no longer writes its styles the way this plugin takes out.');
    }
    return { code: code.replace(written, ''), map: null };
  },
};

/** The web client: built to `dist/web`, or served by Vite in development with the API behind it. */
export default defineConfig({
  root: 'web',
  plugins: [sonnerWithoutStyleElement, react(), tailwindcss()],
  // Prebundling would hide sonner's file from the plugin above.
  optimizeDeps: { exclude: ['sonner'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Files of their own keep the page's policy strict, and cache better.
    assetsInlineLimit: 0,
  },
  server: {
    port: 5173,
    proxy: {
      '/api': api,
      '/uploads': api,
      '/socket.io': { target: api, ws: true },
    },
  },
});
