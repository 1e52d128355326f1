import { goodsKeyOf, harvestMilli, packKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PrintedPicklist } from '#contract/ordering/picklist/picklist';
import { formatQuantityChange } from '#contract/platform/quantities/constants/piece-words';
import { formatGoodsQuantity, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate, formatWallTime, wallClockIn } from '#contract/platform/time/constants';
import type { SkuOf } from '../model/skus.ts';
import type { Document } from './paper/document.ts';
import { GREY, type SheetRow, sheetsToPdf } from './paper/sheet.ts';
import { besides } from './words.ts';

// A print of the pick list on A4: number, day and time on every sheet, with a code that leads to the live list.

/** What a sheet shows beside the print itself. */
interface SheetText {
  farmName: string;
  placeName: string | null;
  timeZone: string;
  /** Where the live list is. */
  address: string;
  /** Shows what changed since the print before, and nothing else. */
  hasChangesOnly: boolean;
  skuOf: SkuOf;
}

interface GoodsRow {
  name: string;
  sku?: string | undefined;
  quantity: string;
  change: string;
  /** Whether it is how what stands above it is packed. */
  isPacked?: true;
}

type Change = PrintedPicklist['sinceLast'][number];

/** Returns the key that distinguishes the rows of a print. */
const keyOf = (goods: Omit<Change, 'delta'>): string =>
  `${goodsKeyOf(goods)}|${packKeyOf(goods.size)}`;

/** Returns how much more of each product is to be harvested, in all of its sizes together, in thousandths. */
function harvestChanges(changes: readonly Change[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const change of changes) {
    const key = goodsKeyOf(change);
    sums.set(key, (sums.get(key) ?? 0) + harvestMilli(change, toMilli(change.delta)));
  }
  return sums;
}

/** Returns each product with what to harvest of it, and below it how many of each size to pack. */
function rowsOf(
  { products, sinceLast }: PrintedPicklist,
  { hasChangesOnly, skuOf }: Pick<SheetText, 'hasChangesOnly' | 'skuOf'>,
): GoodsRow[] {
  const harvests = harvestChanges(sinceLast);
  const changes = new Map(sinceLast.map((change) => [keyOf(change), change]));
  const changeOf = (goods: Omit<Change, 'delta'>): string => {
    const change = changes.get(keyOf(goods));
    changes.delete(keyOf(goods));
    return change ? formatQuantityChange(change, change.delta) : '';
  };
  const rows = products.flatMap(({ sizes = [], ...goods }): GoodsRow[] => {
    const harvest = fromMilli(harvests.get(goodsKeyOf(goods)) ?? 0);
    changes.delete(keyOf(goods));
    return [
      {
        name: goods.product.name,
        sku: skuOf(goods),
        quantity: formatGoodsQuantity(goods, goods.quantity),
        change: harvest === 0 ? '' : formatQuantityChange(goods, harvest),
      },
      ...sizes.map(({ size, quantity }) => ({
        name: nameWithSize(goods.product.name, size),
        sku: skuOf({ ...goods, size }),
        quantity: formatGoodsQuantity({ ...goods, size }, quantity),
        change: changeOf({ ...goods, size }),
        isPacked: true as const,
      })),
    ];
  });
  const gone = [...changes.values()].map((change) => ({
    name: nameWithSize(change.product.name, change.size),
    sku: skuOf(change),
    quantity: formatGoodsQuantity(change, 0),
    change: formatQuantityChange(change, change.delta),
  }));
  return hasChangesOnly ? [...rows, ...gone].filter(({ change }) => change) : [...rows, ...gone];
}

/** Stands for a product whose name is pictures alone. */
export const nameless = (): string => t('Name in pictures only');
const COLUMNS = [{}, { width: 120, align: 'end' }, { width: 90, align: 'end' }] as const;

const sheetRow = ({ name, sku, quantity, change, isPacked }: GoodsRow): SheetRow => {
  const size = isPacked ? 11 : 13;
  return {
    cells: [
      [
        { text: isolate(name), size, lines: 2, instead: nameless() },
        ...(sku ? [{ text: isolate(sku), size: 9, color: GREY }] : []),
      ],
      [{ text: isolate(quantity), size, weight: 'bold' }],
      [{ text: isolate(change), size: 11 }],
    ],
  };
};

/** Starts making a print as PDF. @returns the document, which is being filled */
export function printToPdf(print: PrintedPicklist, text: SheetText): Document {
  const { number, at, by, date } = print;
  const { farmName, placeName, timeZone, address, hasChangesOnly } = text;
  const day = formatWallDate(date, 'year');
  const clock = wallClockIn(timeZone, new Date(at));
  const sheet = {
    head: {
      title: hasChangesOnly
        ? t('Changes since print {number, number} · {day}', { number: number - 1, day })
        : t('Pick list · {day}', { day }),
      lines: [
        besides(farmName, placeName),
        t('Print {number, number}, {day} {time}, by {name}', {
          number,
          day: formatWallDate(clock.date, 'year'),
          time: formatWallTime(clock.time),
          name: by.name,
        }),
      ],
      link: address,
    },
    columns: COLUMNS,
    rows: rowsOf(print, text).map(sheetRow),
    empty: hasChangesOnly
      ? t('Nothing has changed since print {number, number}.', { number: number - 1 })
      : t('Nothing to harvest.'),
    name: t('Print {number, number}', { number }),
  };
  const title = t('Pick list {date}, print {number, number}', { date, number });
  return sheetsToPdf([sheet], { title, at: new Date(at) });
}
