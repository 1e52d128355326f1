import { lazy } from 'react';
import { matchRoute, type Parser } from 'wouter';
import type { Role } from '#contract/platform/http/http';
import { allSentences } from '../platform/format/language.ts';
import { resolved } from '../platform/ui/lazy-with-retry.tsx';
import { type ClientPage, clientPages, type PageModule } from './client-pages.ts';

export type AppRoute = ReturnType<typeof toRoute>;

function toRoute([path, load, guard, title, options = {}]: ClientPage) {
  let loading: Promise<PageModule> | undefined;
  let loaded: PageModule | undefined;
  const preload = () => {
    loading ??= Promise.all([load(), guard !== 'public' && allSentences()]).then(
      ([page]) => {
        loaded = page;
        return page;
      },
      (error: unknown) => {
        // A failed import is not cached, so the next attempt fetches it again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    path,
    guard,
    /** Whether the server renders it, at an address for each language. */
    isPublic: options.isRendered ?? guard === 'public',
    title,
    Page: lazy(() => (loaded ? resolved(loaded) : preload())),
    preload,
    /** Returns whether the page's file is there, so that the page renders at once. */
    isLoaded: () => loaded !== undefined,
    shape: options.shape ?? ('rows' as const),
    keepsState: options.keepsState ?? false,
    fillsWindow: options.fillsWindow ?? false,
    hasBottomBar: options.hasBottomBar ?? guard !== 'guest',
  };
}

/** All pages in matching order. Each is loaded lazily. */
export const routes: readonly AppRoute[] = clientPages.map(toRoute);

/** Returns the route of a path and its parameters. The last route matches every path. */
export function findRoute(
  parser: Parser,
  path: string,
): { route: AppRoute; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const [matches, params] = matchRoute(parser, route.path, path);
    if (matches) return { route, params: params as Record<string, string> };
  }
  return undefined;
}

/**
 * Returns whether a page is part of a role's own work, which has the role's navigation around it and
 * no footer below it.
 */
export const isWorkPage = ({ guard }: AppRoute, role: Role | null): boolean =>
  (role === 'farmer' || role === 'admin') && guard !== 'public';

const ID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Returns the path with its ids in lower case, as the server and the cache have them. */
export const withLowerCaseIds = (path: string): string =>
  path.replace(ID_PATTERN, (id) => id.toLowerCase());
