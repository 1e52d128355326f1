import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import type { PushPayload } from '../notifications/push.ts';
import { makeCertificate } from './certificate.ts';

/** A push message as the browser would get it: already decrypted. */
export interface ReceivedPush {
  browser: string;
  /** A push service keeps one message of a topic. */
  topic: string;
  payload: PushPayload;
}

/**
 * A push service on HTTPS, with browsers that subscribe to it: it checks the sender's VAPID token
 * and decrypts what it takes as the browsers would (RFC 8030, 8188, 8291 and 8292).
 */
export async function openPushService(options: { answerAfterMs?: number } = {}) {
  const { key, cert } = makeCertificate();
  const received: ReceivedPush[] = [];
  const refused: string[] = [];
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer }>();
  const gone = new Set<string>();
  let publicKey = '';

  const server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const browser = (request.url ?? '').slice(1);
    const subscribed = browsers.get(browser);
    if (!subscribed || gone.has(browser)) {
      response.writeHead(410).end();
      return;
    }
    try {
      await checkVapid(request.headers.authorization ?? '', publicKey, origin());
      received.push({
        browser,
        topic: String(request.headers.topic),
        payload: decrypt(Buffer.concat(chunks), subscribed),
      });
    } catch (error) {
      refused.push((error as Error).message);
      response.writeHead(403).end();
      return;
    }
    setTimeout(() => response.writeHead(201).end(), options.answerAfterMs ?? 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** PEM, to be trusted by who sends. */
    cert,
    received,
    refused,
    /** The sender it takes messages of. */
    expectSender: (key: string) => {
      publicKey = key;
    },
    /** A browser's subscription, as the API takes it. */
    subscribe: (browser: string) => {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      browsers.set(browser, { ecdh, auth });
      return {
        endpoint: `${origin()}/${browser}`,
        keys: { p256dh, auth: auth.toString('base64url') },
      };
    },
    /** The browser takes its subscription back. */
    forget: (browser: string) => gone.add(browser),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function checkVapid(header: string, publicKey: string, audience: string): Promise<void> {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  if (key !== publicKey) throw new Error('The sender is not the one subscribed to.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience });
}

function decrypt(body: Buffer, { ecdh, auth }: { ecdh: ECDH; auth: Buffer }): PushPayload {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const content = body.subarray(21 + senderKey.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${label}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(content.subarray(-16));
  const plain = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
  // The last record ends with the byte 2 and padding.
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')) as PushPayload;
}
