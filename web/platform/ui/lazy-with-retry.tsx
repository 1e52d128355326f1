import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { allSentences } from '../format/language.ts';

const RETRY_DELAY_MS = 3_000;

/** Waits until the part can be shown in the reader's language. */
async function withSentences<Part>(load: () => Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([load(), allSentences()]);
  return part;
}

/**
 * Returns a promise that calls back at once, so that React renders what is loaded without waiting: the server
 * renders in one go, and the browser takes over what it rendered in one go.
 */
export function resolved<Value>(value: Value): Promise<Value> {
  const promise = Promise.resolve(value);
  return Object.assign(promise, {
    // biome-ignore lint/suspicious/noThenProperty: React asks for a thenable
    then: (onFulfilled: (value: Value) => unknown) => onFulfilled(value),
  });
}

/**
 * Like `lazy`, for a part of the layout that the page can do without for a while: retries until its
 * file is fetched, and shows the fallback meanwhile. What was fetched before with `preload` is shown at once.
 */
export function lazyWithRetry<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  const preload = async (): ReturnType<typeof load> => {
    loaded = await withSentences(load).catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      return preload();
    });
    return loaded;
  };
  const Part = lazy(() => (loaded ? resolved(loaded) : preload()));
  return Object.assign(Part, { preload });
}

/** Loads a component lazily, and renders nothing where that fails: the page works without it. */
export function optional<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(() =>
    withSentences(load).catch(() => ({ default: (_: Props): ReactNode => null })),
  );
  return (props) => (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  );
}
