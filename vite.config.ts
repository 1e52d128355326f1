import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { SERVER_PATHS } from './contract/edge/constants.ts';
import { createChunkPlan } from './vite.chunks.ts';
import { offline } from './vite.offline.ts';
import { pages } from './vite.pages.ts';
import { texts } from './vite.texts.ts';

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

/** The client uses WebSocket alone. The other transports of Socket.IO would be loaded by every visitor and used by none. */
const withWebSocketAlone: Plugin = {
  name: 'with-web-socket-alone',
  transform(code, id) {
    if (!/\/engine\.io-client\/build\/esm\/transports\/index\.js/.test(id)) return undefined;
    const webSocket = /import \{ WS \} from .*;/.exec(code)?.[0];
    if (!webSocket) this.error('engine.io-client no longer has its transports where they are cut.');
    return { code: `${webSocket}\nexport const transports = { websocket: WS };`, map: null };
  },
};

/** A way to wait that Jotai gives up, with the long text in which it says so. */
const jotaiWithoutDelay: Plugin = {
  name: 'jotai-without-delay',
  transform(code, id) {
    if (!/\/jotai\/esm\/react\.mjs/.test(id)) return undefined;
    const delay = /if \(typeof delay === "number"\) \{[\s\S]*?return;\s*\}/;
    if (!delay.test(code)) this.error('jotai no longer has the delay that this plugin takes out.');
    return { code: code.replace(delay, ''), map: null };
  },
};

/**
 * Makes the icons of lucide with our own few lines, and takes out the keys of their lines, which a list that never changes
 * does not need: they are random letters, which no compression makes smaller.
 */
const plainIcons: Plugin = {
  name: 'plain-icons',
  apply: 'build',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler(code) {
      if (!code.includes('createLucideIcon(')) return null;
      const maker = /import createLucideIcon from '[^']*';/;
      const withoutKeys = code.replace(/,? key: "\w+"/g, '').replace(/^__iconData\.node;$/m, '');
      if (withoutKeys === code || !maker.test(code))
        this.error('lucide-react no longer writes its icons as this plugin reads them.');
      const ours = `import { createIcon as createLucideIcon } from '${path.resolve('web/platform/ui/icon.ts')}';`;
      return { code: withoutKeys.replace(maker, ours), map: null };
    },
  },
};

/** What Vite's helper does for each `import()`, and what ours does in its place. */
const LOADING: readonly [vites: RegExp, ours: string][] = [
  // An event that nothing listens to.
  [/function handlePreloadError\(err\) \{[\s\S]*?\n\t?\}\n/, ''],
  [/handlePreloadError\(item\.reason\)/, 'throw item.reason'],
  [
    /return baseModule\(\)\.catch\(handlePreloadError\);/,
    `const load = (waitMs) => baseModule().catch((error) => {
      if (waitMs > 1000) throw error;
      return new Promise((resolve) => setTimeout(resolve, waitMs)).then(() => load(3 * waitMs));
    });
    return load(300);`,
  ],
  // What all our browsers have.
  [/function allSettled\(promises\) \{[\s\S]*?\n\t\t?\}\n/, ''],
  [/promise = allSettled\(/, 'promise = Promise.allSettled('],
  // All addresses begin with `/`.
  [/if \(import\.meta\.resolve\) .*;\n/, ''],
  // No page has a nonce.
  [/const cspNonceMeta = .*;\n\s*const cspNonce = .*;\n/, ''],
  [/if \(cspNonce\) .*;\n/, ''],
];

/**
 * Loads a file again that could not be loaded, before anything fails: of several servers another one may have it, or
 * the same in a moment.
 */
const repeatedImports: Plugin = {
  name: 'repeated-imports',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('vite/preload-helper')) return undefined;
    const changed = LOADING.reduce((text, [vites, ours]) => {
      if (!vites.test(text)) this.error('Vite no longer loads files the way this plugin changes.');
      return text.replace(vites, () => ours);
    }, code);
    return { code: changed, map: null };
  },
};

/** The folder of a package of Radix, and the path within it. */
const RADIX = /^(.*\/node_modules\/@radix-ui\/[^/]+)(\/.*)$/;

/** Returns the folders of Radix's packages, also those within each other, in an order that is always the same. */
function radixFolders(): string[] {
  const packages = path.resolve('node_modules/@radix-ui');
  return readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^([^/]+\/node_modules\/@radix-ui\/)*[^/]+\/package\.json$/.test(name))
    .map((name) => path.dirname(path.join(packages, name)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/**
 * Takes one copy of each version: npm has laid the same version of Radix's small packages into each of those that use
 * it, and all of the copies would be loaded.
 */
const oneCopyOfEach = (): Plugin => {
  const versionOf = (folder: string): string => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return `${name}@${version}`;
  };
  let copies: Map<string, string> | undefined;
  return {
    name: 'one-copy-of-each',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.startsWith('@radix-ui/') || !importer) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const [, folder, rest] = RADIX.exec(found?.id ?? '') ?? [];
      if (!folder) return found;
      // The first of a version is written last.
      copies ??= new Map(
        radixFolders()
          .reverse()
          .map((each) => [versionOf(each), each]),
      );
      return `${copies.get(versionOf(folder)) ?? folder}${rest}`;
    },
  };
};

/** Lays a `.br` and a `.gz` beside each text of the build, once, so that no request waits for it. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    const { root, build } = this.environment.config;
    const folder = path.resolve(root, build.outDir);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
      const file = path.join(folder, name);
      const text = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(text));
      writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
    }
  },
};

/** The files that every page of a signed-in person needs beside those of all pages: see `vite.chunks.ts`. */
const SIGNED_IN: readonly string[] = ['common', 'forms', 'frame'];

/** Names them for `first-paint.js`, which knows before all other scripts whether somebody is signed in. */
const signedInFiles: Plugin = {
  name: 'signed-in-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const files = Object.values(bundle ?? {})
        .filter((output) => output.type === 'chunk' && SIGNED_IN.includes(output.name))
        .map(({ fileName }) => `/${fileName}`);
      const place = 'src="/first-paint.js"';
      if (files.length !== SIGNED_IN.length || !html.includes(place)) {
        throw new Error('The files of signed-in people cannot be named in index.html.');
      }
      return html.replace(place, `${place} data-signed-in="${files.join(' ')}"`);
    },
  },
};

/** What every page needs and a release rarely changes. */
const BASE = /\/node_modules\/(react|react-dom|scheduler|wouter|regexparam|jotai|@tanstack|clsx)\//;

/** The bundler's own few lines, which would be a file of their own. */
const RUNTIME = /rolldown\/runtime|vite\/preload-helper/;

/** What lists and forms use of the query library, and the first page of a visitor does not. */
const QUERIES_OF_PAGES =
  /\/node_modules\/@tanstack\/(query-core|react-query)\/.*\/(infiniteQueryObserver|mutationObserver|queriesObserver|useInfiniteQuery|useMutation|useQueries)\.js$/;

/** The files that every page begins with. */
const FIRST = /^assets\/(rolldown-runtime|base|shell)-[^/]*\.(js|css)$/;

/** The web client: built to `dist/web`, or served by Vite in development with the API behind it. */
export default defineConfig({
  root: 'web',
  // What old versions of React lacked; ours has it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [
    sonnerWithoutStyleElement,
    withWebSocketAlone,
    jotaiWithoutDelay,
    plainIcons,
    repeatedImports,
    oneCopyOfEach(),
    react({ jsxImportSource: '#jsx' }),
    tailwindcss(),
    pages,
    texts(),
    signedInFiles,
    offline(),
    compressed,
  ],
  // Prebundling would hide sonner's file from the plugin above.
  optimizeDeps: { exclude: ['sonner'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The server reads there which files a page needs.
    manifest: true,
    modulePreload: {
      // Browsers without `modulepreload` load what they need a little later.
      polyfill: false,
      // What a page is loaded with is there already when it loads more.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !FIRST.test(file)),
    },
    // Files of their own keep the page's policy strict, and cache better.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // What polls over HTTP, which they would bring along although nothing uses it.
      treeshake: {
        moduleSideEffects: [
          { test: /\/engine\.io-client\/build\/esm\/(transports|contrib)\//, sideEffects: false },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'base',
              priority: 1,
              test: (id) => (BASE.test(id) && !QUERIES_OF_PAGES.test(id)) || RUNTIME.test(id),
            },
            {
              name: createChunkPlan(),
              debugName: 'screens',
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      SERVER_PATHS.map((path) => [
        `^${path}(/|$)`,
        path === '/socket.io' ? { target: api, ws: true } : api,
      ]),
    ),
  },
});
