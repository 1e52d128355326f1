import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { makeCertificate } from '../../testing/certificate.ts';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { productFile } from '../../testing/product-file.ts';
import { createPictureFetcher } from './pictures.ts';
import { importFile } from './testing/apply.ts';

const market = closeAfter(await startTestMarket());
await makeCategory(market.platform);
const create = { width: 20, height: 10, channels: 3, background: '#7a4' } as const;
const picture = await sharp({ create }).png().toBuffer();
const { key, cert } = makeCertificate();

/** A shop elsewhere, whose pictures are of every kind. */
const shop = createServer({ key, cert }, (request, response) => {
  const answers: Record<string, () => void> = {
    '/good.png': () => response.end(picture),
    '/moved.png': () => response.writeHead(302, { location: '/good.png' }).end(),
    '/inner.png': () => response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end(),
    '/round.png': () => response.writeHead(302, { location: '/round.png' }).end(),
    '/text.png': () => response.end('no picture'),
    '/large.png': () => response.end(Buffer.alloc(9 * 1024 * 1024)),
    '/silent.png': () => {},
  };
  (answers[request.url ?? ''] ?? (() => response.writeHead(404).end()))();
});
shop.listen(0, '127.0.0.1');
await once(shop, 'listening');
afterAll(() => shop.closeAllConnections());
afterAll(() => void shop.close());
const at = (path: string) => `https://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;

it('fetches pictures from the open internet, and refuses the rows of those that are none', async () => {
  const farmer = await market.join('farmer');
  const fetchPicture = createPictureFetcher(market.platform, { ca: cert, deadlineMs: 2000 });
  const images = [
    ...['/good.png', '/moved.png', '/inner.png', '/round.png', '/text.png', '/large.png'].map(at),
    ...[at('/silent.png'), at('/none.png'), 'https://localhost/a.png', 'https://192.168.0.1/a.png'],
  ];
  const rows = images.map((image, index) => ({
    ...{ name: `Kale ${index}`, description: 'Good.', category: 'Vegetables', unit: 'kg' },
    ...{ price: '2.5', stock: 10, image },
  }));
  const done = await importFile(market, farmer, productFile(rows), { fetchPicture });
  expect(done.state).toBe('done');
  expect(done.rows.map(({ result, column }) => [result, column])).toEqual([
    ['written', undefined],
    ['written', undefined],
    ...Array.from({ length: 8 }, () => ['refused', 'image']),
  ]);
  const { body } = await market.get('/products/farmer/me', farmer);
  const [image] = body.data[0].images;
  expect(image).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/);
  const answer = await fetch(market.url + image);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
});
