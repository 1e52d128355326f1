import type { IncomingMessage } from 'node:http';

/**
 * Returns a request's client address as Koa does with `app.proxy` and `app.maxIpsCount`: behind trusted
 * proxies the address that the outermost one saw, else the socket's remote address.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const remote = request.socket.remoteAddress ?? '';
  const header = request.headers['x-forwarded-for'];
  if (trustedProxies === 0 || !header) return remote;
  const addresses = String(header)
    .split(/\s*,\s*/)
    .slice(-trustedProxies);
  return addresses[0] || remote;
}
