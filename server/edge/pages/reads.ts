import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { Depend } from '../../platform/cache/response-cache.ts';
import { failureOf } from '../../platform/http/answer-errors.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, readOwn } from '../../platform/http/route.ts';
import type { Read } from './built.ts';

/** The page that is being made, for which the reads of its components are answered. */
export interface PageReading {
  ctx: Context;
  depend: Depend;
  /** The bodies of the answers so far, by the path of their endpoint. */
  answers: Map<string, string>;
}

const reading = new AsyncLocalStorage<PageReading>();

/** Makes a page: what is read meanwhile is read for it. */
export const makePage = <Result>(page: PageReading, make: () => Promise<Result>): Promise<Result> =>
  reading.run(page, make);

/** Returns how pages read what visitors may: from the handlers of the API, without a request. */
export function createRead(platform: Platform, routes: readonly Route[]): Read {
  const readable = routes
    .filter(({ endpoint: { method, access } }) => method === 'GET' && typeof access === 'string')
    .map((route) => ({ route, match: matcherOf(route.endpoint.path) }));
  return async (url) => {
    const page = reading.getStore();
    if (!page) throw new Error('A page reads after it was made.');
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = pathname.replace(/^\/api/, '');
    for (const { route, match } of readable) {
      const params = match(path);
      if (!params) continue;
      const query = Object.fromEntries(searchParams);
      try {
        const { ctx, depend, answers } = page;
        const text = await readOwn(platform, route, { params, query, ctx, depend });
        answers.set(route.endpoint.path, text);
        return { status: 200, text };
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return { status: error.status, text: JSON.stringify(failureOf(error)) };
      }
    }
    throw new Error(`A page reads ${path}, which visitors may not.`);
  };
}

/** Returns the function that reads the parameters from a path of this pattern: `/products/:id`. */
function matcherOf(pattern: string): (path: string) => Record<string, string> | undefined {
  const expression = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  return (path) => {
    const found = expression.exec(path);
    if (!found) return undefined;
    return Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  };
}
