import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import { makeCertificate } from '../../server/testing/certificate.ts';
import type { PushPayload } from '../notifications/engine/push-client.ts';

/** A decrypted push message. */
export interface ReceivedPush {
  browser: string;
  /** A push service keeps only the last message of a topic. */
  topic: string;
  /** `high` wakes a phone whose screen is off. */
  urgency: string;
  payload: PushPayload;
}

/** How an endpoint of a hostile push service behaves. */
const MISBEHAVIOURS = [
  /** Accepts the TCP connection and never answers the TLS handshake. */
  'no-tls',
  /** Reads the request and never answers. */
  'no-answer',
  /** Sends `103 Early Hints` repeatedly and never a response. */
  'endless-hints',
  /** Sends half a status line, then nothing. */
  'half-a-status-line',
  /** Closes the connection instead of answering. */
  'hangs-up-before',
  /** Closes the connection in the middle of the response body. */
  'hangs-up-within',
  /** Sends the response headers and no body. */
  'no-body',
  /** Sends an endless body byte by byte. */
  'trickles',
  /** Sends an endless body as fast as it is read. */
  'floods',
  /** Redirects to an endpoint that would accept the message. */
  'redirects',
] as const;
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

/** Misbehaves in the given way. `accepts` is a path of this service that takes any message. */
function misbehave(way: Misbehaviour, response: ServerResponse, accepts: string): void {
  const socket = response.socket as Socket;
  const every = (ms: number, act: () => void) => {
    const timer = setInterval(act, ms);
    socket.once('close', () => clearInterval(timer));
  };
  if (way === 'endless-hints') every(50, () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
  else if (way === 'half-a-status-line') socket.write('HTTP/1.1 20');
  else if (way === 'hangs-up-before') socket.destroy();
  else if (way === 'redirects') response.writeHead(307, { location: accepts }).end();
  else if (way !== 'no-tls' && way !== 'no-answer') {
    response.writeHead(201, way === 'no-body' ? { 'content-length': 1000 } : {});
    response.flushHeaders();
    if (way === 'hangs-up-within') {
      response.write('half of the ');
      setTimeout(() => socket.destroy(), 50);
    } else if (way === 'trickles') {
      every(50, () => response.write('.'));
    } else if (way === 'floods') {
      const flood = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', flood);
      flood();
    }
  }
}

/**
 * Starts a push service on HTTPS. It checks the sender's VAPID token and decrypts messages as browsers
 * do (RFC 8030, 8188, 8291 and 8292).
 */
export async function openPushService(options: { answerAfterMs?: number } = {}) {
  const { key, cert } = makeCertificate();
  const received: ReceivedPush[] = [];
  const refused: string[] = [];
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer }>();
  const gone = new Set<string>();
  const hostile = new Map<string, Misbehaviour>();
  const attempts: string[] = [];
  let publicKey = '';

  const server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const browser = (request.url ?? '').slice(1);
    attempts.push(browser);
    const way = hostile.get(browser);
    if (way) return misbehave(way, response, '/redirected');
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
        urgency: String(request.headers.urgency),
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

  const silentSockets = new Set<Socket>();
  const silentServer = createTcpServer((socket) => {
    silentSockets.add(socket);
    socket
      .resume()
      .on('error', () => {})
      .on('close', () => silentSockets.delete(socket));
  });
  silentServer.listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  const silentOrigin = `https://127.0.0.1:${(silentServer.address() as AddressInfo).port}`;

  return {
    /** The certificate as PEM, for the sender to trust. */
    cert,
    received,
    refused,
    /** The browser of each request, whatever the outcome. */
    attempts,
    /** Returns how many connections are open. */
    countConnections: async () =>
      silentSockets.size +
      (await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))),
    /** Sets the public key of the only accepted sender. */
    expectSender: (key: string) => {
      publicKey = key;
    },
    /** Creates a browser's subscription, as the API accepts it. */
    subscribe: (browser: string, way?: Misbehaviour) => {
      if (way) hostile.set(browser, way);
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      browsers.set(browser, { ecdh, auth });
      return {
        endpoint: `${way === 'no-tls' ? silentOrigin : origin()}/${browser}`,
        keys: { p256dh, auth: auth.toString('base64url') },
      };
    },
    /** Ends the browser's subscription. */
    unsubscribe: (browser: string) => gone.add(browser),
    /** Makes the browser's endpoint work from now on. */
    behave: (browser: string) => hostile.delete(browser),
    close: async () => {
      server.closeAllConnections();
      for (const socket of silentSockets) socket.destroy();
      await new Promise((resolve) => silentServer.close(resolve));
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
