import { formatWallDate, formatWallTime } from '#contract/constants/days';
import { formatGoodsQuantity, formatQuantityChange } from '#contract/constants/pieces';
import { wallClockIn } from '#contract/constants/time';
import { goodsKeyOf } from '#contract/pick-summary';
import type { PrintedPicklist } from '#contract/picklist';
import {
  breathe,
  type Document,
  drawQr,
  openDocument,
  qrCodeOf,
  writeLine,
  writeTwoLines,
} from './pdf-text.ts';

// A print of the pick list on A4: number, day and time on every sheet, with a code that leads to the live list.

const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 42;
const QR_SIDE = 64;
const ROW = 24;
const FOOT = 30;
const GREY = '#555555';

/** What a sheet shows beside the print itself. */
export interface SheetText {
  farmName: string;
  placeName: string | null;
  timeZone: string;
  /** Where the live list is. */
  address: string;
  /** Shows what changed since the print before, and nothing else. */
  hasChangesOnly: boolean;
}

interface SheetRow {
  name: string;
  quantity: string;
  change: string;
}

function rowsOf({ products, sinceLast }: PrintedPicklist, hasChangesOnly: boolean): SheetRow[] {
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

/** Starts making a print as PDF. @returns the document, which is being filled */
export function printToPdf(print: PrintedPicklist, text: SheetText): Document {
  const day = formatWallDate(print.date, 'year');
  const doc = openDocument({
    size: 'A4',
    title: `Pick list ${print.date}, print ${print.number}`,
    at: new Date(print.at),
  });
  void draw(doc, print, { ...text, day });
  return doc;
}

async function draw(
  doc: Document,
  print: PrintedPicklist,
  text: SheetText & { day: string },
): Promise<void> {
  try {
    const rows = rowsOf(print, text.hasChangesOnly);
    const top = MARGIN + QR_SIDE + 24;
    const perPage = Math.floor((A4.height - top - MARGIN - FOOT) / ROW);
    const pages = Math.max(1, Math.ceil(rows.length / perPage));
    for (let page = 0; page < pages; page++) {
      if (doc.destroyed) return;
      doc.addPage();
      drawHead(doc, print, text);
      const shown = rows.slice(page * perPage, (page + 1) * perPage);
      for (const [index, row] of shown.entries()) drawRow(doc, row, top + index * ROW);
      if (rows.length === 0) {
        const words = text.hasChangesOnly
          ? `Nothing has changed since print ${print.number - 1}.`
          : 'Nothing to harvest.';
        writeLine(doc, words, { x: MARGIN, y: top }, { size: 13, color: GREY });
      }
      writeLine(
        doc,
        `Print ${print.number} · page ${page + 1} of ${pages}`,
        { x: MARGIN, y: A4.height - MARGIN - 10 },
        { size: 9, color: GREY, width: A4.width - 2 * MARGIN, align: 'right' },
      );
      await breathe();
    }
    doc.end();
  } catch (error) {
    doc.destroy(error as Error);
  }
}

function drawHead(
  doc: Document,
  { number, at, by }: PrintedPicklist,
  { farmName, placeName, day, timeZone, address, hasChangesOnly }: SheetText & { day: string },
): void {
  const width = A4.width - 2 * MARGIN - QR_SIDE - 16;
  const title = hasChangesOnly ? `Changes since print ${number - 1}` : 'Pick list';
  writeLine(
    doc,
    `${title} · ${day}`,
    { x: MARGIN, y: MARGIN },
    { size: 20, weight: 'bold', width },
  );
  const where = [farmName, placeName].filter(Boolean).join(' · ');
  writeLine(doc, where, { x: MARGIN, y: MARGIN + 28 }, { size: 12, width });
  const clock = wallClockIn(timeZone, new Date(at));
  const printed = `Print ${number}, ${formatWallDate(clock.date, 'year')} ${formatWallTime(clock.time)}, by ${by.name}`;
  writeLine(doc, printed, { x: MARGIN, y: MARGIN + 46 }, { size: 10, width, color: GREY });
  const x = A4.width - MARGIN - QR_SIDE;
  drawQr(doc, qrCodeOf(address), { x, y: MARGIN, side: QR_SIDE });
}

const BOX = 12;
const CHANGE_WIDTH = 90;
const QUANTITY_WIDTH = 120;

function drawRow(doc: Document, { name, quantity, change }: SheetRow, y: number): void {
  const right = A4.width - MARGIN;
  doc.lineWidth(0.5).strokeColor('#BBBBBB');
  doc
    .moveTo(MARGIN, y + ROW - 4)
    .lineTo(right, y + ROW - 4)
    .stroke();
  doc
    .strokeColor('#000000')
    .rect(MARGIN, y + 2, BOX, BOX)
    .stroke();
  const x = MARGIN + BOX + 10;
  const width = right - CHANGE_WIDTH - QUANTITY_WIDTH - x - 8;
  writeTwoLines(doc, name, { x, y: y + 1 }, { size: 13, width });
  const at = { x: right - CHANGE_WIDTH - QUANTITY_WIDTH, y: y + 1 };
  writeLine(doc, quantity, at, {
    size: 13,
    weight: 'bold',
    width: QUANTITY_WIDTH - 8,
    align: 'right',
  });
  const changed = { x: right - CHANGE_WIDTH, y: y + 1 };
  writeLine(doc, change, changed, { size: 11, width: CHANGE_WIDTH, align: 'right' });
}
