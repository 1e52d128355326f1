import { listen } from '../hooks/listen.ts';

/** Reports an error to the server's log, with code that comes when it is first needed. Never throws. */
export function reportLater(error: unknown): void {
  import('./report-error.ts').then(
    ({ reportClientError }) => reportClientError(error),
    // Without a line the report would not arrive either.
    () => undefined,
  );
}

/** Reports all uncaught errors and unhandled rejections. Returns a function that stops this. */
export function reportUncaughtErrors(): () => void {
  const events = ['error', 'unhandledrejection'];
  return listen<ErrorEvent & PromiseRejectionEvent>(window, events, ({ error, reason }) =>
    reportLater(error ?? reason),
  );
}
