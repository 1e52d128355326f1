import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const BODY_MAX_MS = 30_000;
/** How long sending the refusal of a slow body may take before the connection is closed. */
const REFUSAL_MAX_MS = 2000;
const CHECK_INTERVAL_MS = 500;

/** Node's own request timeout, above every limit set by {@link limitByProgress}. */
export const REQUEST_MAX_MS = 11 * 60_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Closes requests whose body is not complete `maxMs` after their headers, with 408, except those under
 * {@link limitByProgress}. Node's `requestTimeout` is one limit for all requests. Call it last, so that
 * it also covers the listeners added before.
 */
export function limitBodyTime(server: Server, maxMs = BODY_MAX_MS): void {
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    const timer = setTimeout(() => closeWithTimeout(request, response), maxMs);
    timers.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  });
}

function closeWithTimeout(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  if (!response.headersSent) {
    response.socket?.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }
  request.socket.destroy();
}

/** Limits of a body that may take long. */
export interface BodyProgress {
  /** The longest pause between two bytes. */
  silenceMaxMs: number;
  /** In each window of this length at least `windowMinBytes` must arrive. */
  windowMs: number;
  windowMinBytes: number;
  totalMaxMs: number;
  totalMaxBytes: number;
}

/** The signal's reason when a body breaks its limits. */
export type CutOffReason = 'too_slow' | 'too_large';

/**
 * Lets a body take longer than others while it makes progress within the limits.
 * @returns a signal that aborts otherwise, with a {@link CutOffReason}; the connection is closed soon
 * after
 */
export function limitByProgress(request: IncomingMessage, limits: BodyProgress): AbortSignal {
  clearTimeout(timers.get(request));
  const { socket } = request;
  const controller = new AbortController();
  const startedAt = performance.now();
  const startBytes = socket.bytesRead;
  let lastProgress = { at: startedAt, bytes: startBytes };
  let window = { at: startedAt, bytes: startBytes };

  const findCutOffReason = (now: number, bytes: number): CutOffReason | undefined => {
    if (bytes - startBytes > limits.totalMaxBytes) return 'too_large';
    if (bytes > lastProgress.bytes) lastProgress = { at: now, bytes };
    if (now - lastProgress.at > limits.silenceMaxMs) return 'too_slow';
    if (now - window.at > limits.windowMs) {
      if (bytes - window.bytes < limits.windowMinBytes) return 'too_slow';
      window = { at: now, bytes };
    }
    return now - startedAt > limits.totalMaxMs ? 'too_slow' : undefined;
  };
  const checkTimer = setInterval(
    () => {
      if (request.complete) return stop();
      const reason = findCutOffReason(performance.now(), socket.bytesRead);
      if (!reason) return;
      stop();
      controller.abort(reason);
      setTimeout(() => {
        if (!request.complete) socket.destroy();
      }, REFUSAL_MAX_MS).unref();
    },
    Math.min(CHECK_INTERVAL_MS, limits.silenceMaxMs / 4),
  );
  const stop = () => clearInterval(checkTimer);
  request.once('close', stop);
  return controller.signal;
}
