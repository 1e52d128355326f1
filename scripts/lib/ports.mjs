import { createServer } from 'node:net';

/** True when nothing listens on this port. `host` undefined means every address, as servers do by default. */
export function isFree(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, ...(host ? { host } : {}) }, () => probe.close(() => resolve(true)));
  });
}

/** `preferred` when it is free on the loopback address, else one that the system picks. */
export async function freePort(preferred) {
  if (preferred && (await isFree(preferred, '127.0.0.1'))) return preferred;
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
