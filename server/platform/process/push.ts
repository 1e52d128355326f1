import { createECDH, hkdfSync } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { type Env, senderAddress } from './env.ts';

/** The key pair and contact by which push services know this market. Keys in base64url. */
interface Vapid {
  publicKey: string;
  privateKey: string;
  /** `mailto:` or `https:`. */
  subject: string;
}

/**
 * Returns the market's VAPID keys: from the settings, or derived from `JWT_SECRET`, so that all
 * processes have the same keys without sharing state.
 */
export function readVapid(env: Env): Vapid {
  const subject = env.VAPID_SUBJECT ?? `mailto:${senderAddress(env)}`;
  if (env.VAPID_PUBLIC_KEY && env.VAPID_PRIVATE_KEY) {
    return { publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY, subject };
  }
  const curve = createECDH('prime256v1');
  for (let round = 0; ; round++) {
    const key = hkdfSync('sha256', env.JWT_SECRET, '', `farmgate web push ${round}`, 32);
    try {
      curve.setPrivateKey(Buffer.from(key));
    } catch {
      // About one in 2^32 results is no valid key of this curve; derive another.
      continue;
    }
    return {
      publicKey: curve.getPublicKey('base64url'),
      privateKey: Buffer.from(key).toString('base64url'),
      subject,
    };
  }
}

/**
 * Ranges that `ipaddr.js` counts as unicast and that must not be called: IPv4-compatible addresses
 * (RFC 4291, 2.5.5.1), the local-use translation prefix (RFC 8215) and site-local addresses (RFC 3879).
 */
const ALSO_INTERNAL = ['::/96', '64:ff9b:1::/48', 'fec0::/10'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * SSRF guard: returns whether an IP address is on the public internet. Addresses that users name, such
 * as push endpoints, must be. IPv4-mapped IPv6 is treated as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (ip.range() !== 'unicast') return false;
  return ip.kind() === 'ipv4' || !ALSO_INTERNAL.some((range) => ip.match(range));
}

/**
 * SSRF guard: returns whether an address that somebody names may be called, such as the push endpoint of a browser: an
 * https address of a public host, at the port of https, without a user. Tests may have services on this machine.
 */
export function isPublicUrl({ NODE_ENV }: { NODE_ENV: string }, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  return (
    (port === '' && isPublicHost(hostname)) || (NODE_ENV === 'test' && hostname === '127.0.0.1')
  );
}

/**
 * Returns whether the host of a URL may be called, judged by its name alone: no internal IP address and no name that
 * only a private network resolves. The resolved address is checked again when connecting, with {@link isPublicAddress}.
 */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/i.test(host);
}
