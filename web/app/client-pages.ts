import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { PAGES, type PageEntry } from '#contract/edge/constants';

export type PageModule = {
  default: ComponentType;
  /**
   * Prefetches the page's data when a link to it is hovered or focused, and before the server renders it: all that
   * the page shows first. `search` is the query of its address; `language` is its reader's where several pages are made
   * at once.
   */
  prefetch?: (
    client: QueryClient,
    params: Readonly<Record<string, string>>,
    search: string,
    language?: string,
  ) => unknown;
};

/** A page of the table with what loads it in the place of its file. */
export type ClientPage = readonly [
  path: PageEntry[0],
  load: () => Promise<PageModule>,
  guard: PageEntry[2],
  /** The text of a message; empty for the market's name alone. */
  title: string,
  options?: PageEntry[4],
];

const modules = import.meta.glob<PageModule>('./*/*Page.tsx', { base: '../pages' });

/** All pages in matching order. The build writes them out (`vite.pages.ts`), without the names of files. */
export const clientPages: readonly ClientPage[] = PAGES.map(
  ([path, file, guard, title, ...rest]) => {
    const load = modules[`./${file}`];
    if (!load) throw new Error(`There is no file web/pages/${file}.`);
    return [path, load, guard, title?.text ?? '', ...rest];
  },
);
