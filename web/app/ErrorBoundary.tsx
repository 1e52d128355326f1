import { Component, type ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError } from '../platform/api/api-error.ts';
import { onReturn } from '../platform/api/connection.ts';
import { isOwnRelease, servedRelease, takeRelease } from '../platform/api/release.ts';
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

/** Returns whether another release may mend it: its file is gone, or the server tells of what this one does not know. */
function mayBeOfRelease(error: unknown): boolean {
  if (error instanceof ApiError) return false;
  const served = servedRelease();
  return isLoadFailure(error) || (served !== undefined && !isOwnRelease(served));
}

const CONNECTION_LOST = "This page couldn't be loaded. Check your connection and try again.";
const BROKEN = 'This page ran into a problem. Try again, or go on from the home page.';

/**
 * Shows an error with a retry in place of a page that threw. Where its file could not be fetched, a newer release has
 * replaced it, and the page is loaded again at once; or the connection is lost, and it is loaded again when that is
 * back. Where it failed with what a newer release answers, it is loaded again too. Until this is known there is the
 * `fallback`. `whenFailed` is rendered with the error.
 *
 * Ours because most of it is that reload, to which react-error-boundary would add its own file on every page.
 */
export class ErrorBoundary extends Component<
  { fallback?: ReactNode; whenFailed?: ReactNode; children: ReactNode },
  { error: unknown; message?: string | undefined }
> {
  override state: { error: unknown; message?: string | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    if (mayBeOfRelease(error)) return { error };
    return { error, message: error instanceof ApiError ? error.message : BROKEN };
  }

  private stopWaiting: (() => void) | undefined;

  override componentDidCatch(error: unknown) {
    reportLater(error);
    if (!mayBeOfRelease(error)) return;
    void this.reload(takeRelease);
    if (!isLoadFailure(error)) return;
    this.stopWaiting?.();
    this.stopWaiting = onReturn(() => void this.reload(() => true));
  }

  override componentWillUnmount() {
    this.stopWaiting?.();
  }

  /** Loads the page again if the server answers: without one the browser would show its own error instead. */
  private async reload(mayReload: (release: string | null) => boolean): Promise<void> {
    let message = CONNECTION_LOST;
    try {
      const { status, headers } = await fetch(location.href, { cache: 'no-store' });
      if (status < 500 && mayReload(headers.get('X-Release'))) {
        location.reload();
        return;
      }
      message = BROKEN;
    } catch {
      // A failed attempt is repeated with the next sign of the line.
    }
    this.setState({ message: isLoadFailure(this.state.error) ? message : BROKEN });
  }

  private retry = () => {
    // React caches a failed lazy import for the lifetime of the page.
    if (isLoadFailure(this.state.error)) window.location.reload();
    else this.setState({ error: undefined, message: undefined });
  };

  override render() {
    const { error, message } = this.state;
    if (error === undefined) return this.props.children;
    if (message === undefined) return this.props.fallback;
    return (
      <div className="wrap py-10">
        <ErrorState error={new Error(message)} onRetry={this.retry}>
          <LinkButton href="/">{t('Back to Home')}</LinkButton>
        </ErrorState>
        {this.props.whenFailed}
      </div>
    );
  }
}
