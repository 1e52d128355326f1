import { createServer } from 'node:net';
import { Refusal } from './output.mjs';

function tryToListen(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => {
      const { port: got } = probe.address();
      probe.close(() => resolve(got));
    });
  });
}

/** Throws a `Refusal` when a server could not listen on this address and port. */
export async function requirePort(port, host) {
  const outcome = await tryToListen(port, host);
  if (typeof outcome === 'number') return;
  const why = {
    EADDRINUSE: `Port ${port} is taken by another program: stop it, or choose another port with PORT.`,
    EACCES: `Port ${port} may not be used by this user: choose another with PORT, above 1023.`,
  };
  throw new Refusal(
    why[outcome.code] ?? `This machine cannot listen on ${host}: mend HOST (${outcome.code}).`,
  );
}

/** `preferred` when it is free on the loopback address, else a port that the system picks. */
export async function freePort(preferred) {
  const outcome = await tryToListen(preferred ?? 0, '127.0.0.1');
  return typeof outcome === 'number' ? outcome : tryToListen(0, '127.0.0.1');
}
