import { Resolver } from 'node:dns/promises';
import { type Agent, request as httpsRequest } from 'node:https';
import webPush from 'web-push';
import type { Env } from '../../../server/platform/process/env.ts';
import { createPublicAgent } from '../../../server/platform/process/public-agent.ts';
import { readVapid } from '../../../server/platform/process/push.ts';

/** The payload for the browser's service worker. */
export interface PushPayload {
  title: string;
  body: string;
  /** A path of the web client. */
  link: string;
  /** Notifications of one tag replace each other on the screen. */
  tag: string;
  /** In which language it is written, and how that is read. */
  lang: string;
  dir: 'ltr' | 'rtl';
}

/** The payload of an alert, which insists: its service worker passes most of it on as it is. */
export interface AlertPayload extends PushPayload {
  requireInteraction: true;
  /** Sounds again where it takes the place of one of the same tag. */
  renotify: true;
  silent: false;
  /** Milliseconds, on and off in turn. */
  vibrate: readonly number[];
  actions: readonly { action: 'ack'; title: string }[];
  /** What the action says "I'm on it" by, without a session. */
  token?: string;
  /** What is shown where the action failed: the service worker has no sentences of its own. */
  failure?: string;
  /** How many alerts of the farm wait, for the application's badge. */
  badge?: number;
}

/** How a push service treats a message. */
export interface PushCare {
  /** How long it keeps one for an offline browser, in seconds. */
  ttl: number;
  /** `high` wakes a phone whose screen is off. */
  urgency: 'normal' | 'high';
}

interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Thrown when the push service answered with another status than 2xx. */
export class PushRefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The push service answered ${status}.`);
    this.status = status;
  }
}

export interface PushClient {
  /**
   * Sends one push message. By its topic the push service replaces an undelivered duplicate, by its tag
   * the browser replaces one that is shown.
   * @throws PushRefusedError when the status is not 2xx, and an Error when there is no answer in time
   */
  send(target: PushTarget, payload: PushPayload, care?: PushCare): Promise<void>;
  close(): void;
}

/** From the start of a request, including DNS and TLS, until the response headers. */
const DEADLINE_MS = 10_000;
/** Response bodies are ignored; a short one is read so that the connection can be reused. */
const BODY_MAX_BYTES = 16 * 1024;
const BODY_MAX_MS = 1000;
const USUAL_CARE: PushCare = { ttl: 24 * 60 * 60, urgency: 'normal' };

export interface PushClientOptions {
  deadlineMs?: number;
  /** PEM of a certificate authority to trust instead of the default ones. */
  ca?: string;
  resolver?: Pick<Resolver, 'resolve4' | 'resolve6' | 'cancel'>;
}

/** Creates a client for push services on the public internet. */
export function createPushClient(env: Env, options: PushClientOptions = {}): PushClient {
  const vapidDetails = readVapid(env);
  // Unlike `dns.lookup` it uses no thread, so a name server that hangs does not block others.
  const resolver = options.resolver ?? new Resolver({ timeout: 2000, tries: 2 });
  const agent = createPublicAgent({
    isLoopbackAllowed: env.NODE_ENV === 'test',
    resolver,
    ...(options.ca ? { ca: options.ca } : {}),
  });
  return {
    send: async ({ endpoint, p256dh, auth }, payload, { ttl, urgency } = USUAL_CARE) => {
      const details = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        { vapidDetails, TTL: ttl, urgency, topic: payload.tag.replaceAll('-', '') },
      );
      const status = await post(agent, details, options.deadlineMs ?? DEADLINE_MS);
      if (status < 200 || status > 299) throw new PushRefusedError(status);
    },
    close: () => {
      resolver.cancel();
      agent.destroy();
    },
  };
}

/**
 * Posts a request and resolves with the status as soon as the headers arrive. Does not follow
 * redirects. Settles by the deadline and then closes the connection, whatever the server does.
 */
function post(
  agent: Agent,
  { endpoint, headers, body }: { endpoint: string; headers: object; body: Buffer | null },
  deadlineMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(endpoint, { method: 'POST', headers: { ...headers }, agent });
    const abort = (reason: string) => {
      const error = new Error(reason);
      // A request that has no socket yet does not report that it was destroyed.
      reject(error);
      request.destroy(error);
    };
    const deadline = setTimeout(
      () => abort(`The push service did not answer within ${deadlineMs} ms.`),
      deadlineMs,
    );
    request.on('error', reject);
    request.on('close', () => {
      clearTimeout(deadline);
      reject(new Error('The push service closed the connection without an answer.'));
    });
    request.on('response', (response) => {
      clearTimeout(deadline);
      resolve(response.statusCode ?? 0);
      const bodyDeadline = setTimeout(() => request.destroy(), BODY_MAX_MS);
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BODY_MAX_BYTES) request.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => clearTimeout(bodyDeadline));
    });
    request.end(body ?? undefined);
  });
}
