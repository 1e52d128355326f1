import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes a DER value: tag, length and content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const time = (date: string) => der(0x18, Buffer.from(date));
const COMMON_NAME = Buffer.from([0x06, 3, 0x55, 4, 3]);
const SUBJECT_ALT_NAME = Buffer.from([0x06, 3, 0x55, 0x1d, 17]);
const ECDSA_WITH_SHA256 = sequence(Buffer.from([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));

/** Creates a key and a self-signed certificate for 127.0.0.1, both as PEM. */
export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('push test')))));
  const content = sequence(
    der(0xa0, Buffer.from([0x02, 1, 2])),
    Buffer.from([0x02, 1, 1]),
    ECDSA_WITH_SHA256,
    name,
    sequence(time('20200101000000Z'), time('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))),
      ),
    ),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
