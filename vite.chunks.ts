import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRendered, PAGES, type PageEntry } from '#contract/edge/constants';

/** What the bundler tells of a module. */
interface ModuleInfo {
  importedIds: string[];
  dynamicallyImportedIds: string[];
}
interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** The files of a client's screens, beside the one of the page itself; each needs at most those above it. */
type Chunk =
  | 'shell'
  | 'live'
  | 'kept-reads'
  | 'common'
  | 'forms'
  | 'frame'
  | 'charts'
  | 'codes'
  | 'texts';

const root = import.meta.dirname;
const own = (name: string) => path.join(root, name);

const modulesOf = (pages: readonly PageEntry[]) =>
  pages.map(([, file]) => own(`web/pages/${file}`));

/** The pages that the server renders: how soon one can use them follows from what they load. */
const RENDERED = modulesOf(PAGES.filter(isRendered));
/** The pages that a visitor may open. */
const FOR_VISITORS = modulesOf(
  PAGES.filter(([, , guard]) => guard === 'public' || guard === 'guest'),
);

/** What a visitor's first page loads. */
const START = own('web/main.tsx');
const HOME = own('web/pages/home/HomePage.tsx');
/** What it loads once it is quiet, and what a signed-in person's pages load in its place. */
const LIVE = own('web/app/live/live.ts');
const LIVE_SIGNED_IN = own('web/app/live/reducers.ts');
/** What chooses the language, which the foot of every page has. */
const LANGUAGE = own('web/people/users/LanguageChoice.tsx');
/** What keeps a visitor's reads, once their page is quiet, and a signed-in person's. */
const KEPT = own('web/app/kept-reads/kept-reads.ts');
const KEPT_SIGNED_IN = own('web/app/kept-reads/kept-reads-signed-in.ts');

/** What stands around every page of a signed-in person, and comes in one file. */
const FRAME = [
  'web/app/SignedIn.tsx',
  'web/app/frame/OwnBanners.tsx',
  'web/app/frame/UserMenu.tsx',
  'web/app/frame/SignedInItems.tsx',
  'web/app/frame/WorkNav.tsx',
  'web/app/frame/Bell.tsx',
  'web/app/frame/PendingSign.tsx',
  'web/ordering/news/order-alert.ts',
  'web/ordering/news/order-notices.ts',
].map(own);

/** A package, as the part of an id behind the last `node_modules`. */
const packageOf = (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];

/** The packages that dialogs need; the rest of Radix is for menus. */
const DIALOG_PACKAGES =
  /^(@radix-ui\/(primitive|react-(alert-dialog|compose-refs|context|dialog|dismissable-layer|focus-guards|focus-scope|id|portal|presence|primitive|slot|use-[\w-]+))|aria-hidden|detect-node-es|get-nonce|react-remove-scroll(-bar)?|react-style-singleton|tslib|use-callback-ref|use-sidecar)$/;
const MENU_PACKAGES = /^(@radix-ui|@floating-ui)\//;
const LIVE_PACKAGES = /^(socket\.io-|engine\.io-|@socket\.io\/)/;
/** What few pages need comes in a file of its own, with the modules that need it. */
const SPECIAL_PACKAGES = {
  charts: /^d3-/,
  codes: /^(qrcode|dijkstrajs)$/,
  texts: /^markdown-to-jsx$/,
} as const;
const specials = Object.keys(SPECIAL_PACKAGES) as (keyof typeof SPECIAL_PACKAGES)[];
const FORM_PACKAGES = /^(zod|react-hook-form|@hookform\/resolvers)$/;

const ICONS = own('node_modules/lucide-react/dist/esm');
/** What makes icons, which only their files import: see `vite.config.ts`. */
const ICON_MAKER = own('web/platform/ui/icon.ts');

/** The files of the icons, by each of their names. */
function iconFiles(): Map<string, string> {
  const index = readFileSync(`${ICONS}/lucide-react.mjs`, 'utf8');
  const lines = index.matchAll(/^export \{(.*)\} from '\.\/(icons\/.*)';/gm);
  return new Map(
    Array.from(lines, ([, names = '', file = '']) =>
      Array.from(names.matchAll(/default as (\w+)/g), ([, name = '']): [string, string] => [
        name,
        `${ICONS}/${file}`,
      ]),
    ).flat(),
  );
}

/** The icons that a module names; by its imports it would need all of the package. */
function iconsOf(id: string): string[] {
  const imports = readFileSync(id, 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react'/g);
  return Array.from(imports, ([, names = '']) => names.split(','))
    .flat()
    .map((name) => name.trim().replace(/\sas\s.*$/, ''));
}

/**
 * Decides which modules share a file. What the first page needs is left alone. Of the rest, what one page alone needs
 * stays in the page's file, and what several need comes in a few files, because each file costs a request: `common`
 * (what the pages share that the server renders, and what chooses the language in their foot), `forms` (validation,
 * dialogs, and what visitors' other pages share), `frame` (what signed-in people's pages share). A file needs no file
 * below it, so there are no cycles between them.
 */
export function createChunkPlan(): (id: string, modules: Modules) => Chunk | null {
  let plan: Map<string, Chunk> | undefined;
  return (id, modules) => {
    plan ??= planChunks(modules);
    if (/\.(css|svg)(\?|$)/.test(id)) return 'shell';
    return plan.get(id) ?? chunkOfPackage(id);
  };
}

function chunkOfPackage(id: string): Chunk | null {
  const name = packageOf(id);
  if (!name) return null;
  // Each icon that no page of the server has.
  if (name === 'lucide-react') return 'forms';
  if (LIVE_PACKAGES.test(name)) return 'live';
  if (DIALOG_PACKAGES.test(name)) return 'forms';
  if (MENU_PACKAGES.test(name)) return 'frame';
  for (const special of specials) if (SPECIAL_PACKAGES[special].test(name)) return special;
  if (FORM_PACKAGES.test(name)) return 'forms';
  // What lists and forms use of the query library.
  return name.startsWith('@tanstack/') ? 'common' : null;
}

function planChunks(modules: Modules): Map<string, Chunk> {
  const isOwn = (id: string) => id.startsWith(`${root}/`) && !packageOf(id) && /\.tsx?$/.test(id);
  const importsOf = (id: string) => modules.getModuleInfo(id)?.importedIds ?? [];
  const closureOf = (starts: readonly string[]): Set<string> => {
    const reached = new Set(starts);
    for (const id of reached) for (const next of importsOf(id)) if (isOwn(next)) reached.add(next);
    return reached;
  };
  const everything = new Set([START]);
  const lazy = new Set<string>();
  for (const id of everything) {
    const info = modules.getModuleInfo(id);
    for (const next of info?.importedIds ?? []) if (isOwn(next)) everything.add(next);
    for (const next of info?.dynamicallyImportedIds ?? []) {
      if (!isOwn(next)) continue;
      everything.add(next);
      lazy.add(next);
    }
  }

  const start = closureOf([START]);
  const first = closureOf([START, HOME]);
  const rendered = closureOf(RENDERED);
  const live = closureOf([LIVE]);
  const kept = closureOf([KEPT]);
  const language = closureOf([LANGUAGE]);
  const usersOf = new Map<string, string[]>();
  for (const user of lazy) {
    for (const id of closureOf([user])) usersOf.set(id, [...(usersOf.get(id) ?? []), user]);
  }
  const opensForms = reaching(
    importsOf,
    isOwn,
    (name) => FORM_PACKAGES.test(name) || DIALOG_PACKAGES.test(name) || MENU_PACKAGES.test(name),
  );
  const reaches = specials.map(
    (special) =>
      [
        special,
        reaching(importsOf, isOwn, (name) => SPECIAL_PACKAGES[special].test(name)),
      ] as const,
  );
  const specialOf = (id: string) => reaches.find(([, needs]) => needs(id))?.[0];

  const plan = new Map<string, Chunk>([[ICON_MAKER, 'shell']]);
  const fileOfIcon = iconFiles();
  for (const icon of [...rendered, ...language].flatMap(iconsOf))
    plan.set(fileOfIcon.get(icon) ?? '', 'common');
  for (const icon of [...first].flatMap(iconsOf)) plan.set(fileOfIcon.get(icon) ?? '', 'shell');
  for (const id of everything) {
    const users = usersOf.get(id) ?? [];
    const isShared = users.length > 1;
    const special = specialOf(id);
    if (first.has(id)) {
      if (start.has(id) || users.some((user) => user !== HOME)) plan.set(id, 'shell');
    } else if (live.has(id)) {
      const isLiveAlone = users.every((user) => user === LIVE || user === LIVE_SIGNED_IN);
      plan.set(id, isLiveAlone ? 'live' : 'shell');
    } else if (kept.has(id)) {
      const isKeptAlone = users.every((user) => user === KEPT || user === KEPT_SIGNED_IN);
      plan.set(id, isKeptAlone ? 'kept-reads' : 'shell');
    } else if ((rendered.has(id) && !special && !opensForms(id)) || language.has(id)) {
      if (isShared) plan.set(id, 'common');
    } else if (id.startsWith(own('contract/'))) {
      plan.set(id, 'forms');
    } else if (special) {
      if (isShared) plan.set(id, special);
    } else if (isShared && users.some((user) => FOR_VISITORS.includes(user))) {
      plan.set(id, 'forms');
    } else if (isShared || users.some((user) => FRAME.includes(user))) {
      plan.set(id, 'frame');
    }
  }
  return plan;
}

/** Returns the function that tells whether a module needs a package of a matching name, by whatever way. */
function reaching(
  importsOf: (id: string) => readonly string[],
  isOwn: (id: string) => boolean,
  matches: (name: string) => boolean,
): (id: string) => boolean {
  const known = new Map<string, boolean>();
  const reaches = (id: string): boolean => {
    const answer = known.get(id);
    if (answer !== undefined) return answer;
    // Until it is known, for modules that need each other.
    known.set(id, false);
    const found = importsOf(id).some((next) =>
      isOwn(next) ? reaches(next) : matches(packageOf(next) ?? ''),
    );
    known.set(id, found);
    return found;
  };
  return reaches;
}
