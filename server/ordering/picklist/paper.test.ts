import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { LabelFormat } from '#contract/ordering/picklist/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { labelsOf, labelsToPdf } from './label-pdf.ts';
import { type Document, qrCodeOf } from './paper/document.ts';
import { printToPdf } from './sheet-pdf.ts';

// What stands on paper: nothing is cut that fits, and codes are large enough to be read.

const ADDRESS = 'https://a-rather-long-market-name.example-farmers-market.org';

const orderOf = (name: string, goods: string): PickOrder => ({
  _id: '1f2e3d4c-0000-4000-8000-000000000001',
  status: 'accepted',
  version: 1,
  customer: { _id: '1f2e3d4c-0000-4000-8000-000000000002', name },
  notes: '',
  place: 'Farm gate',
  placeId: null,
  address: null,
  date: '2026-11-28',
  time: '10:00',
  endTime: '10:30',
  packing: 'none',
  askedLineIds: [],
  changed: { sequence: 1, at: '2026-11-27T10:00:00.000Z', kind: 'status' },
  lines: [
    {
      lineId: '1f2e3d4c-0000-4000-8000-000000000003',
      product: { _id: null, name: goods, unit: 'kg', image: null },
      quantity: 2,
      orderedQuantity: 2,
      pieceWeight: { average: 1.5 },
      price: 8,
      estimate: 24,
      packed: 3.125,
      isFinal: true,
      total: 25,
      printed: 0,
    },
  ],
});

async function textOf(doc: Document): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of doc) chunks.push(chunk as Uint8Array);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.concat(chunks))));
  return text.join(' ').replace(/\s+/g, ' ');
}
const labelText = (format: LabelFormat, name: string, goods: string) =>
  textOf(
    labelsToPdf(
      labelsOf([orderOf(name, goods)], { per: 'line', names: 'full' }, ADDRESS),
      format,
      'Labels',
    ),
  );

describe.each(['avery_l7160', 'avery_5160', 'roll_62'] as const)('a label of %s', (format) => {
  test.each(['Ngô Thị Phương', 'Christopher Lee', 'Ω Παπαδόπουλος'])(
    'has all of a name that fits when it is set smaller: %s',
    async (name) => {
      expect(await labelText(format, name, 'Eggs')).toContain(name);
    },
  );

  test('has the weight of what was weighed', async () => {
    expect(await labelText(format, 'Ann', 'Whole chicken')).toContain(
      '2 × Whole chicken · 3.125 kg',
    );
  });

  test('cuts what is too long, and nothing else', async () => {
    const text = await labelText(format, 'Ann', 'Heirloom tomatoes '.repeat(6).trim());
    expect(text).toContain('…');
    expect(text).toContain('Farm gate');
    expect(text).toContain('Sat, Nov 28, 10:00–10:30 AM');
  });
});

test.each(['avery_l7160', 'roll_62'] as const)(
  'a label of %s has two lines for goods with a long name',
  async (format) => {
    expect(await labelText(format, 'Ann', 'Heirloom tomatoes, all kinds')).toContain(
      'tomatoes, all kinds · 3.125 kg',
    );
  },
);

test('a sheet has two lines for a product with a long name', async () => {
  const name = 'Heirloom tomatoes of the best and rarest kind, picked by hand at dawn';
  const by = { _id: '1f2e3d4c-0000-4000-8000-000000000004', name: 'Ben' };
  const doc = printToPdf(
    {
      _id: '1f2e3d4c-0000-4000-8000-000000000005',
      number: 1,
      at: '2026-11-27T10:00:00.000Z',
      by,
      date: '2026-11-28',
      place: null,
      products: [
        {
          product: { _id: null, name, unit: 'kg', image: null },
          isByPiece: false,
          quantity: 999_999.999,
        },
      ],
      sinceLast: [],
    },
    {
      farmName: 'Green Valley Farm',
      placeName: null,
      timeZone: 'UTC',
      address: ADDRESS,
      hasChangesOnly: false,
    },
  );
  const text = await textOf(doc);
  expect(text).toContain(name);
  expect(text).toContain('999,999.999 kg');
});

test('the modules of a code are wide enough for the coarsest printers of labels', () => {
  const { size } = qrCodeOf(`${ADDRESS}/orders/1f2e3d4c-0000-4000-8000-000000000001`);
  // 203 dots an inch: fewer than two and a half of them a module are not distinguishable.
  const moduleMm = 15 / size;
  expect(moduleMm / (25.4 / 203)).toBeGreaterThan(2.5);
  // The paper around it is at least four modules wide.
  expect(2.5).toBeGreaterThanOrEqual(4 * moduleMm);
});
