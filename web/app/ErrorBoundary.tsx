import { Component, type ReactNode } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { reportClientError } from '../lib/report-error.ts';
import { LinkButton } from '../ui/primitives/Button.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';

/** Returns whether a page's file could not be fetched: offline, or replaced by a newer release. */
function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  );
}

function toUserError(error: unknown): Error {
  if (error instanceof ApiError) return error;
  if (isLoadFailure(error)) {
    return new Error('This page could not be loaded. Check your connection and try again.');
  }
  return new Error('This page ran into a problem. Try again, or go on from the home page.');
}

/** Shows an error with a retry in place of a page that threw. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    reportClientError(error);
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
      </div>
    );
  }
}
