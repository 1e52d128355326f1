import { PRODUCT_FILTERS } from '#contract/catalogue/products/constants/products';
import {
  isRendered,
  MISSING,
  PAGES,
  type PageEntry,
  patternOf,
  type RenderedPath,
} from '#contract/edge/constants';

interface PageDetails {
  /** The parameters of the address that change what the page shows. */
  query?: readonly string[];
  /** It is about one thing, without which it is not there, though its address names none. */
  hasSubject?: true;
}

/** What is not to be seen from the table of pages. */
const DETAILS: Partial<Record<RenderedPath, PageDetails>> = {
  '/terms': { hasSubject: true },
  '/privacy': { hasSubject: true },
  '/help': { hasSubject: true },
  // The search, the filters, the sort, the open panel and the page of the list.
  '/products': { query: [...PRODUCT_FILTERS, 'sort', 'filters', 'cursor'] },
  '/farmers': { query: ['search', 'cursor'] },
  '/farmers/:id': { query: ['search', 'category', 'all'] },
};

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const isThere = ([path]: PageEntry) => path !== MISSING;

/** The pages that the server renders, with the patterns of their addresses, whose parameters are ids. */
const RENDERED = PAGES.filter((page) => isRendered(page) && isThere(page)).map(([path]) => {
  const route = path as RenderedPath;
  const pattern = new RegExp(`^${path.replace(/\/$/, '').replace(/:(\w+)/, `(?<$1>${UUID})`)}/?$`);
  return { route, pattern, query: [], hasSubject: path.includes(':'), ...DETAILS[route] };
});

/** The paths of those that are there in every market. */
export const LASTING_PATHS: readonly string[] = RENDERED.filter((page) => !page.hasSubject).map(
  ({ route }) => route,
);

const ANY_PAGE = new RegExp(patternOf(PAGES.filter(isThere)), 'i');

/** Returns whether the client has a page at a path, private ones too; all but the one that says that there is none. */
export const hasPage = (pathname: string): boolean => ANY_PAGE.test(pathname);

/** The address of a page, in the one form that all spellings of it share. */
export interface PageAddress {
  route: RenderedPath;
  /** Without its language, and without a slash at its end. */
  path: string;
  params: Readonly<Record<string, string>>;
  /** The known parameters that are set, in a fixed order, with the `?`; empty without any. */
  search: string;
  /** Whether the address holds nothing else. */
  isPlain: boolean;
  /** Whether the page is about one thing, without which it is not there. */
  hasSubject: boolean;
}

/** Returns the page that says that there is none at this path. */
export const missingPage = (pathname: string): PageAddress => ({
  route: MISSING,
  path: pathname,
  params: {},
  search: '',
  isPlain: false,
  hasSubject: true,
});

const SUBJECT = new RegExp(
  `^(${RENDERED.map(({ route }) => route)
    .filter((route) => route.includes(':'))
    .map((route) => route.replace(/:.*/, ''))
    .join('|')})(${UUID.replaceAll('a-f', 'a-fA-F')}/?)$`,
);

/** Returns the path of a product's or farm's page with its id in lower case, if it is written otherwise. */
export function lowerCasePathOf(pathname: string): string | undefined {
  const [, folder, id] = SUBJECT.exec(pathname) ?? [];
  if (folder === undefined || id === undefined || id === id.toLowerCase()) return undefined;
  return folder + id.toLowerCase();
}

/** Returns the page at an address, or undefined where the server renders none. */
export function findPage(pathname: string, query: URLSearchParams): PageAddress | undefined {
  for (const { route, pattern, query: names, hasSubject } of RENDERED) {
    const found = pattern.exec(pathname);
    if (!found) continue;
    const known = new URLSearchParams();
    for (const name of names) {
      const value = query.get(name);
      if (value) known.set(name, value);
    }
    const search = known.toString();
    return {
      route,
      path: pathname === '/' ? '/' : pathname.replace(/\/$/, ''),
      params: { ...found.groups },
      search: search && `?${search}`,
      hasSubject,
      isPlain: [...query.keys()].every((name) => names.includes(name)),
    };
  }
  return undefined;
}
