import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Env } from '../../../server/platform/process/env.ts';

/** Thrown when the gateway answered with another status than 2xx: it did not take the message. */
export class SmsRefusedError extends Error {
  /** Whether it would refuse the same message again. */
  readonly isPermanent: boolean;

  constructor(status: number) {
    super(`The SMS gateway answered ${status}.`);
    this.isPermanent = status >= 400 && status < 500 && !PASSING.has(status);
  }
}

/** Statuses of 4xx that say nothing of the message: request timeout, too early, too many requests. */
const PASSING = new Set([408, 425, 429]);

/** From the start of a request, including DNS and TLS, until the response headers. */
const DEADLINE_MS = 10_000;

export interface SmsClient {
  /**
   * Sends a text message.
   * @throws SmsRefusedError when the gateway did not take it, and an Error when that is unknown
   */
  send(message: { to: string; text: string }): Promise<void>;
}

/**
 * Creates a client of the market's gateway: `POST` of JSON to `SMS_URL`. Redirects are not followed, and the body of an
 * answer is not read.
 */
export function createSmsClient(
  { SMS_URL: url, SMS_TOKEN: token }: Pick<Env, 'SMS_URL' | 'SMS_TOKEN'>,
  deadlineMs = DEADLINE_MS,
): SmsClient {
  const post = (body: string) =>
    new Promise<number>((resolve, reject) => {
      if (!url) throw new Error('There is no SMS gateway.');
      const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        // A connection that is kept may be closed by the other side just when it is used again.
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
      });
      const deadline = setTimeout(() => {
        request.destroy(new Error(`The SMS gateway did not answer within ${deadlineMs} ms.`));
      }, deadlineMs);
      request.on('error', reject);
      request.on('close', () => {
        clearTimeout(deadline);
        reject(new Error('The SMS gateway closed the connection without an answer.'));
      });
      request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      request.end(body);
    });
  return {
    send: async ({ to, text }) => {
      const status = await post(JSON.stringify({ to, text }));
      if (status < 200 || status > 299) throw new SmsRefusedError(status);
    },
  };
}
