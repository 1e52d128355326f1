import { Agent, request } from 'node:http';

// Close idle connections before the server does after 5 s, which could interrupt a request.
const agent = new Agent({ keepAlive: true, timeout: 4000, maxSockets: 2000, scheduling: 'fifo' });

/** Sends a request with as little overhead as possible, so that the client is not what is measured. */
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
        let received = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          received += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: received }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
