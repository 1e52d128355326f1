import { Component, type ReactNode } from 'react';
import { ApiError } from '../platform/api/api-error.ts';
import { onReturn } from '../platform/api/connection.ts';
import { reportLater } from '../platform/api/report-later.ts';
import { ErrorState } from '../platform/ui/feedback/states.tsx';
import { LinkButton } from '../platform/ui/primitives/Button.tsx';

/** Returns whether a page's file could not be fetched: offline, or replaced by a newer release. */
function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script|preload CSS/i.test(error.message)
  );
}

function toUserError(error: unknown): Error {
  if (error instanceof ApiError) return error;
  if (isLoadFailure(error)) {
    return new Error("This page couldn't be loaded. Check your connection and try again.");
  }
  return new Error('This page ran into a problem. Try again, or go on from the home page.');
}

/** Reloads the page if the server answers: without one the browser would show its own error instead. */
async function reloadIfReachable(): Promise<void> {
  const { ok } = await fetch(window.location.href, { cache: 'no-store' });
  if (ok) window.location.reload();
}

/**
 * Shows an error with a retry in place of a page that threw. A page whose file could not be fetched is
 * loaded again when the connection is back. `whenFailed` is rendered with the error.
 *
 * Ours because most of it is that reload, to which react-error-boundary would add its own file on every page.
 */
export class ErrorBoundary extends Component<
  { whenFailed?: ReactNode; children: ReactNode },
  { error: unknown }
> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  private stopWaiting: (() => void) | undefined;

  override componentDidCatch(error: unknown) {
    reportLater(error);
    if (!isLoadFailure(error)) return;
    this.stopWaiting?.();
    // A failed attempt is repeated with the next sign of the line.
    this.stopWaiting = onReturn(() => void reloadIfReachable().catch(() => undefined));
  }

  override componentWillUnmount() {
    this.stopWaiting?.();
  }

  private retry = () => {
    // React caches a failed lazy import for the lifetime of the page.
    if (isLoadFailure(this.state.error)) window.location.reload();
    else this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="wrap py-10">
        <ErrorState error={toUserError(error)} onRetry={this.retry}>
          <LinkButton href="/">Back to Home</LinkButton>
        </ErrorState>
        {this.props.whenFailed}
      </div>
    );
  }
}
