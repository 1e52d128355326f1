import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, describe, expect, test } from 'vitest';
import type { LabelFormat } from '#contract/ordering/picklist/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { followReaders } from '../../platform/market/readers.ts';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import { dayToPdf, isOnSheet } from './day-pdf.ts';
import { labelsOf, labelsToPdf } from './label-pdf.ts';
import type { HandoverOrder } from './orders.ts';
import { type Document, qrCodeOf } from './paper/document.ts';
import { printToPdf } from './sheet-pdf.ts';

// What stands on paper: nothing is cut that fits, and codes are large enough to be read.

followReaders();
afterEach(() => setMarket(DEFAULT_MARKET));

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

async function open(doc: Document) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of doc) chunks.push(chunk as Uint8Array);
  return getDocumentProxy(new Uint8Array(Buffer.concat(chunks)));
}
/** The text of each page, with single spaces and without word joiners. */
async function pagesOf(doc: Document): Promise<string[]> {
  const { text } = await extractText(await open(doc));
  return text.map((page) => page.replace(/\u2060/g, '').replace(/\s+/g, ' '));
}
const textOf = async (doc: Document): Promise<string> => (await pagesOf(doc)).join(' ');
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
      skuOf: () => undefined,
    },
  );
  const text = await textOf(doc);
  expect(text).toContain(name);
  expect(text).toContain('999,999.999 kg');
});

const inDays = (name: string, over: Partial<HandoverOrder> = {}): HandoverOrder => ({
  ...orderOf(name, 'گاجر'),
  phone: '+92 300 1234567',
  ...over,
});
const delivery = {
  place: null,
  address: '5 Mall Road, Lahore, Punjab 54000',
  addressLines: ['5 Mall Road', 'Lahore, Punjab 54000'],
};

test.each(['avery_l7160', 'avery_5160', 'roll_62'] as const)(
  'a label of %s says how it is handed over, an address on two lines',
  async (format) => {
    const textOfLabel = (order: PickOrder) =>
      textOf(
        labelsToPdf(labelsOf([order], { per: 'order', names: 'full' }, ADDRESS), format, 'Labels'),
      );
    expect(await textOfLabel(orderOf('Ann', 'Eggs'))).toContain('PICKUP');
    const text = await textOfLabel({ ...orderOf('محمد آصف', 'گاجر'), ...delivery });
    expect(text).toContain('DELIVERY');
    expect(text).toContain('5 Mall Road Lahore, Punjab 54000');
    expect(text).toContain('محمد آصف');
    expect(text).not.toContain('?');
  },
);

test('a label of somebody whose name is pictures has the number of the order', async () => {
  const text = await labelText('roll_62', '🌻🌽', '🥕 Carrots');
  expect(text).toContain('#1f2e3d4c PICKUP');
  expect(text).toContain('2 × Carrots');
});

describe('the sheets of a day', () => {
  const DAY = {
    date: '2026-11-28',
    farmName: 'کسان فارم',
    placeName: null,
    publicUrl: ADDRESS,
    address: ADDRESS,
    skuOf: () => undefined,
  };
  const orders = [
    inDays('Ann Lee', { crates: 2 }),
    inDays('محمد آصف', { ...delivery, crates: 1, notes: 'گھنٹی بجائیں۔ Gate code 4711.' }),
    inDays('王伟', { place: 'Market hall' }),
  ];

  test('slips have what is in an order, each on a page of its own', async () => {
    const pages = await pagesOf(dayToPdf('packing_slips', orders, DAY));
    expect(pages).toHaveLength(3);
    expect(pages[0]).toContain('Ann Lee');
    expect(pages[0]).toContain('PICKUP · Sat, Nov 28, 10:00–10:30 AM');
    expect(pages[0]).toContain('2 pieces 3.125 kg');
    for (const words of ['DELIVERY', '5 Mall Road', 'Lahore, Punjab 54000', 'Gate code 4711']) {
      expect(pages[1]).toContain(words);
    }
    // What things cost is nobody's business who finds a crate.
    expect(pages.join()).not.toMatch(/[$€]|25\.00|\b24\b/);
  });

  test('the loading list has the orders of each place together, and counts crates', async () => {
    const [page = '', ...more] = await pagesOf(dayToPdf('loading_list', orders, DAY));
    expect(more).toEqual([]);
    for (const words of [
      '3 orders · 3 crates',
      'Farm gate · 1 order · 2 crates',
      'Deliveries · 1 order · 1 crate',
      'Market hall · 1 order',
    ]) {
      expect(page).toContain(words);
    }
    expect(page).not.toContain('+92');
  });

  test('the run sheet has whom to call, where, and what to know', async () => {
    const deliveries = orders.filter(({ address }) => isOnSheet('run_sheet', address !== null));
    const [page = ''] = await pagesOf(dayToPdf('run_sheet', deliveries, DAY));
    for (const words of [
      '1 delivery · 1 crate',
      'محمد آصف',
      '5 Mall Road Lahore, Punjab 54000',
      '+92 300 1234567',
      'Gate code 4711',
      '#1f2e3d4c',
    ]) {
      expect(page).toContain(words);
    }
    expect(page).not.toContain('Ann Lee');
  });

  test('of a hundred orders go on, each page with its number', async () => {
    const many = Array.from({ length: 100 }, (_, index) => inDays(`Customer ${index}`, delivery));
    const pages = await pagesOf(dayToPdf('run_sheet', many, DAY));
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`page ${index + 1} of ${pages.length}`);
      expect(page).toContain('Run sheet · Sat, Nov 28, 2026');
    }
    for (let index = 0; index < 100; index++) expect(pages.join()).toContain(`Customer ${index}`);
  });

  test('are in the language of who prints, for several at once', async () => {
    setMarket({ ...DEFAULT_MARKET, locale: 'en-PK' });
    const pageIn = (language: string) =>
      withLanguageTag(language, async () => {
        const doc = dayToPdf('loading_list', orders, DAY);
        // It is drawn on behind the request.
        return { pages: pagesOf(doc) };
      });
    const drawn = await Promise.all(['ur', 'en', 'de'].map(pageIn));
    const [urdu = '', english = '', german = ''] = (
      await Promise.all(drawn.map(({ pages }) => pages))
    ).map(([page]) => page);
    expect(english).toContain('Loading list · Sat, 28 Nov 2026');
    expect(english).toContain('page 1 of 1');
    expect(german).toContain('Ladeliste · Sa., 28. Nov. 2026');
    expect(german).toContain('3 Bestellungen · 3 Kisten');
    expect(german).toContain('Seite 1 von 1');
    // Where spaces are between parts from the right is guessed by the reader of the PDF.
    const joined = urdu.replace(/\s/g, '');
    for (const words of [
      'لوڈنگکیفہرست·ہفتہ،28نومبر،2026',
      '3آرڈر·3کریٹ',
      '#1f2e3d4c·5MallRoad',
      'صفحہ1از1',
    ])
      expect(joined).toContain(words);
    expect(joined).not.toMatch(/order|crate|page/i);
  });

  test('of a reader from right to left are mirrored', async () => {
    const xOf = async (language: string) => {
      const doc = await withLanguageTag(language, async () =>
        dayToPdf('loading_list', orders, DAY),
      );
      const { items } = await (await (await open(doc)).getPage(1)).getTextContent();
      const item = items.find((each) => 'str' in each && each.str.includes('Ann Lee'));
      return item && 'transform' in item ? (item.transform[4] as number) : Number.NaN;
    };
    expect(await xOf('de')).toBeLessThan(595 / 2);
    expect(await xOf('ur')).toBeGreaterThan(595 / 2);
  });
});

test('the modules of a code are wide enough for the coarsest printers of labels', () => {
  const { size } = qrCodeOf(`${ADDRESS}/orders/1f2e3d4c-0000-4000-8000-000000000001`);
  // 203 dots an inch: fewer than two and a half of them a module are not distinguishable.
  const moduleMm = 15 / size;
  expect(moduleMm / (25.4 / 203)).toBeGreaterThan(2.5);
  // The paper around it is at least four modules wide.
  expect(2.5).toBeGreaterThanOrEqual(4 * moduleMm);
});
