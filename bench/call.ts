import { Agent, request } from 'node:http';

// Idle connections are let go before the server does so, after 5 s: it could be in the middle of a request.
const agent = new Agent({ keepAlive: true, timeout: 4000, maxSockets: 2000, scheduling: 'fifo' });

/** A request as light as Node makes it: what measures must not be what is measured. */
export function call(
  method: string,
  url: string,
  body: unknown,
  token?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          answer += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: answer }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
