import { createServer } from 'node:net';
import { UserError } from './output.mjs';

function tryToListen(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address.port : undefined));
    });
  });
}

/** Error codes of a machine without IPv4 or without IPv6. */
const noAddressCodes = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);

/**
 * Throws a `UserError` when a server could not listen on this host and port. `localhost` stands for the
 * loopback addresses of IPv4 and IPv6, of which a machine may lack one.
 */
export async function requirePort(port, host, setting = 'PORT') {
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const outcomes = await Promise.all(hosts.map((each) => tryToListen(port, each)));
  const failures = outcomes.filter((outcome) => typeof outcome !== 'number');
  const outcome =
    failures.find(({ code }) => !noAddressCodes.has(code)) ??
    (failures.length === hosts.length ? failures[0] : undefined);
  if (outcome === undefined) return;
  const messageByCode = {
    EADDRINUSE: `Port ${port} is taken by another program: stop it or set another port with ${setting}.`,
    EACCES: `Port ${port} may not be used by this user: set another with ${setting}, above 1023.`,
  };
  throw new UserError(
    messageByCode[outcome.code] ??
      `This machine cannot listen on ${host}: check HOST (${outcome.code}).`,
  );
}

/** Returns `preferred` when it is free on the loopback address, else a port chosen by the system. */
export async function freePort(preferred) {
  const outcome = await tryToListen(preferred ?? 0, '127.0.0.1');
  return typeof outcome === 'number' ? outcome : tryToListen(0, '127.0.0.1');
}
