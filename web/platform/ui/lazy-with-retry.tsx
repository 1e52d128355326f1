import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { allSentences } from '../format/language.ts';

const RETRY_DELAY_MS = 3_000;

/** Waits until the part can be shown in the reader's language. */
async function withSentences<Part>(load: () => Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([load(), allSentences()]);
  return part;
}

/**
 * Like `lazy`, for a part of the layout that the page can do without for a while: retries until its
 * file is fetched, and shows the fallback meanwhile.
 */
export function lazyWithRetry<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadWithRetries = (): ReturnType<typeof load> =>
    withSentences(load).catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      return loadWithRetries();
    });
  return lazy(loadWithRetries);
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
