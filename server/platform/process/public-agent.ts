import type { Resolver } from 'node:dns/promises';
import { Agent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './push.ts';

const IDLE_CONNECTION_MS = 30_000;
const IDLE_CONNECTIONS_MAX = 20;

/** Creates an agent that connects only to public addresses, whatever a name resolves to (SSRF guard). */
export function createPublicAgent(options: {
  isLoopbackAllowed: boolean;
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  ca?: string;
}): Agent {
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (options.isLoopbackAllowed && address === '127.0.0.1');
  const refusal = () => new Error('The address is not on the open internet.');

  const lookup: LookupFunction = (hostname, { all }, done) => {
    resolveBoth(options.resolver, hostname).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => isAllowed(address));
        const [first] = allowed;
        if (!first) done(refusal(), '');
        else if (all) done(null, allowed);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
  const agent = new Agent({
    keepAlive: true,
    lookup,
    maxFreeSockets: IDLE_CONNECTIONS_MAX,
    timeout: IDLE_CONNECTION_MS,
    ...(options.ca ? { ca: options.ca } : {}),
  });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, done) => {
    // An IP address is not looked up.
    const host = (target as { host?: string }).host ?? '';
    if (isIP(host) && !isAllowed(host)) throw refusal();
    return connect(target, done);
  };
  return agent;
}

/** Returns all addresses of a name, IPv4 first. @throws when there are none */
async function resolveBoth(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>, hostname: string) {
  const [ipv4, ipv6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}
