import { type ComponentType, lazy } from 'react';

/** Milliseconds before a part that could not be fetched is asked for again. */
const AGAIN = 3_000;

/**
 * Like `lazy`, for a part of the frame that the market can do without for a while: when its file
 * cannot be fetched it is asked for again until it can, and what stands in for it stays.
 */
export function lazyPatiently<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadAtLast = (): ReturnType<typeof load> =>
    load().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      return loadAtLast();
    });
  return lazy(loadAtLast);
}
