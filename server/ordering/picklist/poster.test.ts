import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test } from 'vitest';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { posterToPdf } from './poster-pdf.ts';

// The poster of a farm as PDF, read by a reader of PDFs.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

/** The text of each page of a PDF, with single spaces. */
async function read(file: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(file));
  return text.map((page) => page.replace(/\s+/g, ' '));
}

const poster = (as: Caller | null = fixture.farmer) =>
  fetch(`${fixture.url}/api/farm/poster.pdf`, {
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
  });

test('a poster has the name of the farm in any script, and the address of its page', async () => {
  const { db } = fixture.platform;
  for (const farmName of ['Green Valley', 'مزرعة الوادي', '緑の谷 農場', '🍅🥕']) {
    const where = { userId: fixture.farmer.id };
    await db.farmerProfile.update({ where, data: { farmName } });
    const response = await poster();
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const [page = '', ...more] = await read(new Uint8Array(await response.arrayBuffer()));
    expect(more).toEqual([]);
    expect(page).toContain('Order from us online');
    expect(page.replace(/\s/g, '')).toContain(`/farmers/${fixture.farmer.id}`);
    if (/^[\w ]+$/.test(farmName)) expect(page).toContain(farmName);
  }
});

test('a poster is in the language of its reader', async () => {
  const german = await withLanguageTag('de', async () => {
    const doc = posterToPdf({
      ...{ farmName: 'Hof am Bach', town: 'Putbus', at: new Date() },
      address: 'https://market.example/farmers/1',
    });
    const chunks: Buffer[] = [];
    for await (const chunk of doc) chunks.push(chunk as Buffer);
    return new Uint8Array(Buffer.concat(chunks));
  });
  const [page = ''] = await read(german);
  for (const words of ['Hof am Bach', 'Putbus', 'market.example/farmers/1'])
    expect(page).toContain(words);
  expect(page).not.toContain('Order from us online');
});

test('a poster is for the people of the farm', async () => {
  expect((await poster(null)).status).toBe(401);
  expect((await poster(await fixture.join('consumer'))).status).toBe(403);
});
