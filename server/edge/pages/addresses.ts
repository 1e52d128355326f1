import { PRODUCT_FILTERS } from '#contract/catalogue/products/constants/products';

/** A page that the server renders, by its route in the client and the pattern of its address. */
interface PublicPage {
  /** As in `web/app/routes.tsx`. */
  route: string;
  pattern: RegExp;
  /** The parameters of the address that change what the page shows. */
  query: readonly string[];
  /** It is about one thing, without which it is not there. */
  hasSubject?: true;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The parameters of `/products`: the search, the filters, the sort, the open panel and the page of the list. */
const PRODUCTS_QUERY = [...PRODUCT_FILTERS, 'sort', 'filters', 'cursor'] as const;

/** The route of the list of products. */
export const PRODUCTS_ROUTE = '/products';

const PAGES: readonly PublicPage[] = [
  { route: '/', pattern: /^\/$/, query: [] },
  { route: '/about', pattern: /^\/about\/?$/, query: [] },
  { route: '/terms', pattern: /^\/terms\/?$/, query: [], hasSubject: true },
  { route: '/privacy', pattern: /^\/privacy\/?$/, query: [], hasSubject: true },
  { route: '/help', pattern: /^\/help\/?$/, query: [], hasSubject: true },
  { route: PRODUCTS_ROUTE, pattern: /^\/products\/?$/, query: PRODUCTS_QUERY },
  {
    route: '/products/:id',
    pattern: new RegExp(`^/products/(${UUID})/?$`),
    query: [],
    hasSubject: true,
  },
  { route: '/farmers', pattern: /^\/farmers\/?$/, query: ['search', 'cursor'] },
  {
    route: '/farmers/:id',
    pattern: new RegExp(`^/farmers/(${UUID})/?$`),
    query: [],
    hasSubject: true,
  },
];

/** The address of a page, in the one form that all spellings of it share. */
export interface PageAddress {
  route: string;
  /** Without a slash at its end. */
  path: string;
  params: Readonly<Record<string, string>>;
  /** The known parameters that are set, in a fixed order, with the `?`; empty without any. */
  search: string;
  /** Whether the address holds nothing else. */
  isPlain: boolean;
  /** Whether the page is about one thing, without which it is not there. */
  hasSubject: boolean;
}

/** The route of the page that says that there is none, as in `web/app/routes.tsx`. */
export const MISSING_ROUTE = '*';

/** Returns the page that says that there is none at this path. */
export const missingPage = (pathname: string): PageAddress => ({
  route: MISSING_ROUTE,
  path: pathname,
  params: {},
  search: '',
  isPlain: false,
  hasSubject: true,
});

const ANY_CASE_UUID = UUID.replaceAll('a-f', 'a-fA-F');
const SUBJECT = new RegExp(`^(/products/|/farmers/)(${ANY_CASE_UUID}/?)$`);

/** Returns the path of a product's or farm's page with its id in lower case, if it is written otherwise. */
export function lowerCasePathOf(pathname: string): string | undefined {
  const [, folder, id] = SUBJECT.exec(pathname) ?? [];
  if (folder === undefined || id === undefined || id === id.toLowerCase()) return undefined;
  return folder + id.toLowerCase();
}

/** Returns the page at an address, or undefined where the server renders none. */
export function findPage(pathname: string, query: URLSearchParams): PageAddress | undefined {
  for (const { route, pattern, query: names, hasSubject = false } of PAGES) {
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
      params: found[1] === undefined ? {} : { id: found[1] },
      search: search && `?${search}`,
      hasSubject,
      isPlain: [...query.keys()].every((name) => names.includes(name)),
    };
  }
  return undefined;
}
