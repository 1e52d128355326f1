// @long It reads and draws many pictures.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const farmer = await market.join('farmer');

const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a4' } });

async function upload(
  files: readonly (Buffer | string)[],
  { as = farmer as Caller | null, field = 'images', at = market } = {},
) {
  const form = new FormData();
  for (const file of files) form.append(field, new Blob([new Uint8Array(Buffer.from(file))]), 'x');
  const response = await fetch(`${at.url}/api/uploads`, {
    method: 'POST',
    body: form,
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
  });
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what it is.
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body };
}

const fetchPicture = (address: string, headers: Record<string, string> = {}) =>
  fetch(market.url + address, { headers });

describe('uploading', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('keeps a %s in two sizes', async (format) => {
    const { status, body } = await upload([await drawing(1600, 800).toFormat(format).toBuffer()]);
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, count: 1, data: [{ width: 1200, height: 600 }] });
    const { url } = body.data[0];
    expect(url).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/);
    for (const [address, width] of [
      [url, 1200],
      [url.replace('.webp', '-small.webp'), 480],
    ] as const) {
      const kept = await sharp(await (await fetchPicture(address)).arrayBuffer()).metadata();
      expect(kept).toMatchObject({ format: 'webp', width });
    }
  });

  it('takes five at once, does not blow a small one up, and notes who sent them', async () => {
    const file = await drawing(40, 30).png().toBuffer();
    const { body } = await upload([file, file, file, file, file]);
    expect(body.count).toBe(5);
    expect(body.data[4]).toMatchObject({ width: 40, height: 30 });
    const id = body.data[0].url.slice('/uploads/'.length, -'.webp'.length);
    const row = await market.platform.db.upload.findUnique({ where: { id } });
    expect(row).toMatchObject({ ownerId: farmer.id, width: 40, height: 30 });
  });

  it('turns it upright and removes where it was taken', async () => {
    const photo = await drawing(200, 100)
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const { body } = await upload([photo]);
    expect(body.data[0]).toMatchObject({ width: 100, height: 200 });
    const kept = await sharp(await (await fetchPicture(body.data[0].url)).arrayBuffer()).metadata();
    expect(kept.exif).toBeUndefined();
    expect(kept.orientation).toBeUndefined();
  });

  it('is for farmers', async () => {
    const file = await drawing(10, 10).png().toBuffer();
    const visitor = await upload([file], { as: null });
    expect(visitor.status).toBe(401);
    const consumer = await upload([file], { as: await market.join('consumer') });
    expect(consumer.status).toBe(403);
  });

  it.each([
    ['a text', 'just words', 415],
    ['a drawing in SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 415],
    ['a PNG that breaks off', '\u0089PNG\r\n\u001a\nnothing follows', 415],
  ])('refuses %s', async (_, content, status) => {
    expect((await upload([content])).status).toBe(status);
  });

  it.each([
    ['a HEIC', '\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'Most Compatible'],
    ['a HEIC of another brand', '\0\0\0\u0018ftypmif1\0\0\0\0mif1heic', 'as JPEG'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0', 'as JPEG or PNG'],
    [
      'a drawing in SVG',
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
      'as PNG',
    ],
    ['a PDF', '%PDF-1.7\n', 'screenshot'],
    ['an empty file', '', 'in the cloud'],
    ['a video', '\0\0\0\u0018ftypisom\0\0\0\0isommp42', 'Upload JPEG, PNG'],
  ])('says what to do with %s', async (_, content, advice) => {
    const { status, body } = await upload([content]);
    expect([status, body.message]).toEqual([415, expect.stringContaining(advice)]);
  });

  it('takes a picture that its decoder only warns of', async () => {
    const whole = await drawing(600, 600).jpeg().toBuffer();
    // Bytes of no meaning before the scan, as some cameras write them.
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
    const odd = Buffer.concat([whole.subarray(0, scan), Buffer.from('farm'), whole.subarray(scan)]);
    await expect(sharp(odd, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow();
    expect(await upload([odd])).toMatchObject({ status: 201, body: { data: [{ width: 600 }] } });
  });

  it('refuses a damaged picture, and keeps none of its companions', async () => {
    const whole = await drawing(600, 600).jpeg().toBuffer();
    const before = await market.platform.db.upload.count();
    const { status, body } = await upload([whole, whole.subarray(0, 400)]);
    expect(status).toBe(400);
    expect(body.message).toContain('damaged');
    expect(await market.platform.db.upload.count()).toBe(before);
  });

  it('refuses a picture that unfolds to more than a camera makes', async () => {
    const bomb = await drawing(7_800, 7_800).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    expect((await upload([bomb])).status).toBe(413);
  });

  it('refuses more than five, more than 8 MB, another field, and none', async () => {
    const file = await drawing(10, 10).png().toBuffer();
    expect((await upload([file, file, file, file, file, file])).status).toBe(413);
    expect((await upload([Buffer.alloc(8 * 1024 * 1024 + 1, 0xff)])).status).toBe(413);
    expect((await upload([file], { field: 'pictures' })).status).toBe(413);
    expect((await upload([])).status).toBe(400);
  });

  it('refuses what is no form, and a form that breaks off', async () => {
    const json = await market.post('/uploads', farmer, {});
    expect(json).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED' } });
    const broken = await market.call('POST', '/uploads', {
      as: farmer,
      body: '--x\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\nabc',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(broken).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  });

  it('says so when there is no room', async () => {
    const full = await startTestMarket();
    try {
      // A file where the folder should be: nothing can be written below it.
      await writeFile(path.join(full.env.DATA_DIR, 'uploads'), '');
      const { status, headers, body } = await upload([await drawing(9, 9).png().toBuffer()], {
        as: await full.join('farmer'),
        at: full,
      });
      expect(status).toBe(503);
      expect(body).toMatchObject({ success: false, code: 'STORAGE_UNAVAILABLE' });
      expect(headers.get('retry-after')).not.toBeNull();
    } finally {
      await full.close();
    }
  });

  it('leaves no half-written file behind', async () => {
    const names = await readdir(path.join(market.env.DATA_DIR, 'uploads'));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !name.endsWith('.webp'))).toEqual([]);
  });
});

describe('serving', () => {
  it('lets it be kept for ever, and answers 304 to who has it', async () => {
    const { body } = await upload([await drawing(50, 50).png().toBuffer()]);
    const first = await fetchPicture(body.data[0].url);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('image/webp');
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetchPicture(body.data[0].url, {
      'if-none-match': etag,
      // Otherwise fetch adds one that forbids the short answer.
      'cache-control': 'max-age=0',
    });
    expect(again.status).toBe(304);
    const head = await fetch(market.url + body.data[0].url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
  });

  it.each([
    '/uploads/',
    '/uploads/00000000-0000-4000-8000-000000000000.webp',
    '/uploads/00000000-0000-4000-8000-000000000000.png',
    '/uploads/..%2f..%2fpackage.json',
    '/uploads/%00.webp',
  ])('answers 404 to %s', async (address) => {
    const response = await fetchPicture(address);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
    expect(response.headers.get('cache-control')).toBeNull();
  });
});
