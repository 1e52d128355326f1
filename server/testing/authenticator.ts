import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What may be wrong with what an authenticator or a browser sends. */
interface Wrong {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Not unlocked by its owner. */
  isUnlocked?: boolean;
  counter?: number;
  userHandle?: string;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** Writes what CBOR has for the few forms that are needed here: numbers, bytes, texts, and pairs of them. */
function cbor(value: number | Buffer | string | Map<number | string, unknown>): Buffer {
  const head = (type: number, size: number) =>
    size < 24
      ? Buffer.from([(type << 5) | size])
      : size < 256
        ? Buffer.from([(type << 5) | 24, size])
        : Buffer.from([(type << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as never)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

/** Returns a passkey of a browser on the site, as WebAuthn level 3 writes it, with a real key. */
export function createAuthenticator(publicUrl: string) {
  const site = new URL(publicUrl);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  };
  let counter = 0;

  const clientData = (type: string, options: { challenge: string }, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? site.origin,
        crossOrigin: false,
      }),
    );

  function authenticatorData(wrong: Wrong, attested?: Buffer): Buffer {
    const PRESENT = 1;
    const UNLOCKED = 4;
    const ATTESTED = 64;
    const flags =
      PRESENT +
      ((wrong.isUnlocked ?? true) ? UNLOCKED : 0) +
      (attested === undefined ? 0 : ATTESTED);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? ++counter);
    return Buffer.concat([
      sha256(wrong.rpId ?? site.hostname),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  }

  /** Makes the passkey, as `navigator.credentials.create()` does. */
  function create(options: { challenge: string }, wrong: Wrong = {}) {
    const cose = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.from([0, id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authenticatorData(wrong, attested)],
    ]);
    return {
      ...credential,
      response: {
        clientDataJSON: clientData('webauthn.create', options, wrong).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs in with the passkey, as `navigator.credentials.get()` does. */
  function get(options: { challenge: string }, wrong: Wrong = {}) {
    const client = clientData('webauthn.get', options, wrong);
    const data = authenticatorData(wrong);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
    return {
      ...credential,
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(wrong.userHandle === undefined ? {} : { userHandle: wrong.userHandle }),
      },
    };
  }

  return { create, get };
}
