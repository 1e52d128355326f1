import { type ComponentType, lazy } from 'react';

const RETRY_DELAY_MS = 3_000;

/**
 * Like `lazy`, for a part of the layout that the page can do without for a while: retries until its
 * file is fetched, and shows the fallback meanwhile.
 */
export function lazyWithRetry<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadWithRetries = (): ReturnType<typeof load> =>
    load().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      return loadWithRetries();
    });
  return lazy(loadWithRetries);
}
