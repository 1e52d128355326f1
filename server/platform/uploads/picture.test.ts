// @long It reads and draws many pictures.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WAIT_MS } from '../../../testing/until.ts';
import { readPicture } from './picture.ts';

const never = new AbortController().signal;
const files: FileHandle[] = [];

const directory: string = await mkdtemp(path.join(tmpdir(), 'farmgate-picture-'));
afterEach(async () => {
  await Promise.all(files.splice(0).map((file) => file.close()));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function fileOf(content: Buffer): Promise<FileHandle> {
  const file = await open(path.join(directory, String(Math.random())), 'wx+');
  files.push(file);
  await file.writeFile(content);
  return file;
}

const read = async (content: Buffer, ...rest: [limits?: Parameters<typeof readPicture>[2]]) =>
  readPicture(await fileOf(content), never, ...rest);

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: { width, height, channels, background: { r: 120, g: 170, b: 60, alpha: 0.5 } },
    limitInputPixels: false,
  });

/** The colours of a picture's four corners, clockwise from the upper left. */
async function corners(picture: Buffer): Promise<string[]> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (y * info.width + x) * info.channels;
    const [r = 0, g = 0, b = 0] = data.subarray(start, start + 3);
    if (r > 128 && g > 128) return 'white';
    return r > 128 ? 'red' : g > 128 ? 'green' : b > 128 ? 'blue' : 'black';
  };
  const [right, bottom] = [info.width - 10, info.height - 10];
  return [at(10, 10), at(right, 10), at(right, bottom), at(10, bottom)];
}

describe('every kind of picture', () => {
  const kinds: [kind: string, make: () => Promise<Buffer>][] = [
    ['a progressive JPEG', () => plain(300, 200).jpeg({ progressive: true }).toBuffer()],
    ['a CMYK JPEG', () => plain(300, 200).toColourspace('cmyk').jpeg().toBuffer()],
    ['a grey JPEG', () => plain(300, 200).toColourspace('b-w').jpeg().toBuffer()],
    ['an interlaced PNG', () => plain(300, 200, 4).png({ progressive: true }).toBuffer()],
    ['a PNG of 16 bits', () => plain(300, 200, 4).toColourspace('rgb16').png().toBuffer()],
    ['a grey PNG with alpha', () => plain(300, 200, 4).toColourspace('b-w').png().toBuffer()],
    ['a PNG with a palette', () => plain(300, 200).png({ palette: true }).toBuffer()],
    ['a lossless WebP', () => plain(300, 200, 4).webp({ lossless: true }).toBuffer()],
    ['an AVIF', () => plain(300, 200, 4).avif({ effort: 0 }).toBuffer()],
  ];
  it.each(kinds)('%s comes out as WebP in sRGB', async (_, make) => {
    const { large, small, width, height } = await read(await make());
    expect({ width, height }).toEqual({ width: 300, height: 200 });
    for (const picture of [large, small]) {
      const metadata = await sharp(picture).metadata();
      expect(metadata).toMatchObject({ format: 'webp', space: 'srgb', width: 300, height: 200 });
    }
  });

  it('of an animated WebP the first frame is kept', async () => {
    const frames = await Promise.all(
      ['#c00', '#0c0', '#00c'].map((background) =>
        sharp({ create: { width: 80, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(3);
    const { large, width, height } = await read(animated);
    expect({ width, height }).toEqual({ width: 80, height: 60 });
    expect(await sharp(large).metadata()).not.toHaveProperty('pages');
    expect(await corners(large)).toEqual(['red', 'red', 'red', 'red']);
  });

  it.each([3, 5, 6, 8])('orientation %i is turned upright in both sizes', async (orientation) => {
    const quarter = (background: string) =>
      sharp({ create: { width: 800, height: 600, channels: 3, background } })
        .png()
        .toBuffer();
    const [red, green, blue] = await Promise.all(['#f00', '#0f0', '#00f'].map(quarter));
    const scene = await sharp({
      create: { width: 1600, height: 1200, channels: 3, background: '#fff' },
    })
      .composite([
        { input: red as Buffer, left: 0, top: 0 },
        { input: green as Buffer, left: 800, top: 0 },
        { input: blue as Buffer, left: 800, top: 600 },
      ])
      .withMetadata({ orientation })
      .jpeg({ progressive: true })
      .toBuffer();
    const expected = await corners(await sharp(scene).autoOrient().png().toBuffer());
    const { large, small, width, height } = await read(scene);
    expect(await corners(large)).toEqual(expected);
    expect(await corners(small)).toEqual(expected);
    expect({ width, height }).toEqual(
      orientation < 5 ? { width: 1200, height: 900 } : { width: 900, height: 1200 },
    );
  });
});

describe('pixels', () => {
  it('takes 30 megapixels, and refuses a row more by the header', async () => {
    const just = await plain(6000, 5000).jpeg({ quality: 20, progressive: true }).toBuffer();
    expect(await read(just)).toMatchObject({ width: 1200, height: 1000 });
    const over = await plain(6000, 5001).jpeg({ quality: 20, progressive: true }).toBuffer();
    await expect(read(over)).rejects.toMatchObject({
      status: 413,
      sentence: { values: { max: 30 } },
    });
  });

  it('refuses a PNG whose header claims two thousand million', async () => {
    const png = await plain(10, 10).png().toBuffer();
    png.writeUInt32BE(50_000, 16);
    png.writeUInt32BE(40_000, 20);
    const refusal = await read(png).catch((error) => error);
    expect([400, 413]).toContain(refusal.status);
  });
});

describe('limits', () => {
  // Six megapixels of 16 bits, interlaced: slow, and all in memory at once.
  const heavy = () =>
    plain(3000, 2000, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer();
  const generous = { cpuMaxMs: WAIT_MS, memoryMaxBytes: 2 ** 31, wallClockMaxMs: WAIT_MS };

  it.each([
    ['processor time', { cpuMaxMs: 1 }],
    ['memory', { memoryMaxBytes: 2 ** 20 }],
  ])('refuses a picture that takes too much %s, and stops it', async (_, limits) => {
    const refusal = read(await heavy(), { ...generous, ...limits });
    await expect(refusal).rejects.toMatchObject({ status: 413 });
  });

  it('stops a decoder that gets no processor', async () => {
    const stopped = read(await heavy(), { ...generous, wallClockMaxMs: 20 });
    await expect(stopped).rejects.toThrow('too little processor time');
  });

  it('stops when nobody waits for the picture any more', async () => {
    const leaving = new AbortController();
    const reading = readPicture(await fileOf(await heavy()), leaving.signal, generous);
    leaving.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    await expect(readPicture(await fileOf(await heavy()), leaving.signal)).rejects.toThrow('gone');
  });

  it.each([
    ['breaks off', (file: Buffer) => file.subarray(0, 400)],
    ['is a header alone', (file: Buffer) => file.subarray(0, 3)],
    [
      'is something else altogether',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['is empty', () => Buffer.alloc(0)],
  ])('refuses what %s as damaged', async (_, damage) => {
    const file = await plain(600, 600).jpeg().toBuffer();
    await expect(read(damage(file))).rejects.toMatchObject({ status: 400 });
  });
});
