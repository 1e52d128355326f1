import { BlockList, isIP } from 'node:net';

/** Addresses that lead into one's own machine or network, or nowhere at all. */
const INNER = new BlockList();
const INNER_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
const INNER_IPV6: [network: string, prefix: number][] = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];
for (const [network, prefix] of INNER_IPV4) INNER.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of INNER_IPV6) INNER.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an IP address is one of the open internet. What others tell us to call must be, or they
 * could make us knock on doors of our own network. IPv4 in IPv6's clothes is looked at as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return !INNER.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether the host of a web address may be called, as far as its name tells: no inner IP address
 * and no name that only one's own network knows. What the name leads to is looked at when calling.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/i.test(host);
}
