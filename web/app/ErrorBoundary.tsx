import { Component, type ReactNode } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { LinkButton } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';

/** A page whose file could not be fetched: offline, or replaced by a newer release. */
function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  );
}

function inWords(error: unknown): Error {
  if (error instanceof ApiError) return error;
  if (isLoadFailure(error)) {
    return new Error('This page could not be loaded. Check your connection and try again.');
  }
  return new Error('This page ran into a problem. Try again, or go on from the home page.');
}

/** Stands in for a page that broke, so that the page is never blank and one can go on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  private retry = () => {
    // What React remembers of a file that failed to load only a new page forgets.
    if (isLoadFailure(this.state.error)) window.location.reload();
    else this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="wrap py-10">
        <ErrorState error={inWords(error)} onRetry={this.retry}>
          <LinkButton href="/">Back to Home</LinkButton>
        </ErrorState>
      </div>
    );
  }
}
