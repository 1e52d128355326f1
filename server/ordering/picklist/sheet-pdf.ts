import { goodsKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PrintedPicklist } from '#contract/ordering/picklist/picklist';
import { formatQuantityChange } from '#contract/platform/quantities/constants/piece-words';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate, formatWallTime, wallClockIn } from '#contract/platform/time/constants';
import type { Document } from './paper/document.ts';
import { type SheetRow, sheetsToPdf } from './paper/sheet.ts';
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
}

interface GoodsRow {
  name: string;
  quantity: string;
  change: string;
}

function rowsOf({ products, sinceLast }: PrintedPicklist, hasChangesOnly: boolean): GoodsRow[] {
  const changes = new Map(sinceLast.map((change) => [goodsKeyOf(change), change]));
  const rows = products.map((goods) => {
    const change = changes.get(goodsKeyOf(goods));
    changes.delete(goodsKeyOf(goods));
    return {
      name: goods.product.name,
      quantity: formatGoodsQuantity(goods, goods.quantity),
      change: change ? formatQuantityChange(goods, change.delta) : '',
    };
  });
  const gone = [...changes.values()].map((change) => ({
    name: change.product.name,
    quantity: formatGoodsQuantity(change, 0),
    change: formatQuantityChange(change, change.delta),
  }));
  return hasChangesOnly ? [...rows, ...gone].filter(({ change }) => change) : [...rows, ...gone];
}

/** Stands for a product whose name is pictures alone. */
export const nameless = (): string => t('Name in pictures only');
const COLUMNS = [{}, { width: 120, align: 'end' }, { width: 90, align: 'end' }] as const;

const sheetRow = ({ name, quantity, change }: GoodsRow): SheetRow => ({
  cells: [
    [{ text: isolate(name), size: 13, lines: 2, instead: nameless() }],
    [{ text: isolate(quantity), size: 13, weight: 'bold' }],
    [{ text: isolate(change), size: 11 }],
  ],
});

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
    rows: rowsOf(print, hasChangesOnly).map(sheetRow),
    empty: hasChangesOnly
      ? t('Nothing has changed since print {number, number}.', { number: number - 1 })
      : t('Nothing to harvest.'),
    name: t('Print {number, number}', { number }),
  };
  const title = t('Pick list {date}, print {number, number}', { date, number });
  return sheetsToPdf([sheet], { title, at: new Date(at) });
}
