import { goodsKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PrintedPicklist } from '#contract/ordering/picklist/picklist';
import {
  formatGoodsQuantity,
  formatQuantityChange,
} from '#contract/platform/quantities/constants/pieces';
import { formatWallDate, formatWallTime, wallClockIn } from '#contract/platform/time/constants';
import {
  type Document,
  drawQr,
  openDocument,
  qrCodeOf,
  writeLine,
  writeTwoLines,
  yieldToEventLoop,
} from './pdf-text.ts';

// A print of the pick list on A4: number, day and time on every sheet, with a code that leads to the live list.

const A4 = { width: 595.28, height: 841.89 };
const MARGIN_PT = 42;
const QR_SIDE_PT = 64;
const ROW_PT = 24;
const FOOT_PT = 30;
const GREY = '#555555';

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
export const printToPdf = (print: PrintedPicklist, text: SheetText): Document =>
  openDocument(
    {
      size: 'A4',
      title: `Pick list ${print.date}, print ${print.number}`,
      at: new Date(print.at),
    },
    (doc) => draw(doc, print, text),
  );

async function draw(doc: Document, print: PrintedPicklist, text: SheetText): Promise<void> {
  const rows = rowsOf(print, text.hasChangesOnly);
  const top = MARGIN_PT + QR_SIDE_PT + 24;
  const perPage = Math.floor((A4.height - top - MARGIN_PT - FOOT_PT) / ROW_PT);
  const pages = Math.max(1, Math.ceil(rows.length / perPage));
  for (let page = 0; page < pages; page++) {
    if (doc.destroyed) return;
    doc.addPage();
    drawHead(doc, print, text);
    const shown = rows.slice(page * perPage, (page + 1) * perPage);
    for (const [index, row] of shown.entries()) drawRow(doc, row, top + index * ROW_PT);
    if (rows.length === 0) {
      const words = text.hasChangesOnly
        ? `Nothing has changed since print ${print.number - 1}.`
        : 'Nothing to harvest.';
      writeLine(doc, words, { x: MARGIN_PT, y: top }, { size: 13, color: GREY });
    }
    writeLine(
      doc,
      `Print ${print.number} · page ${page + 1} of ${pages}`,
      { x: MARGIN_PT, y: A4.height - MARGIN_PT - 10 },
      { size: 9, color: GREY, width: A4.width - 2 * MARGIN_PT, align: 'right' },
    );
    await yieldToEventLoop();
  }
}

function drawHead(
  doc: Document,
  { number, at, by, date }: PrintedPicklist,
  { farmName, placeName, timeZone, address, hasChangesOnly }: SheetText,
): void {
  const width = A4.width - 2 * MARGIN_PT - QR_SIDE_PT - 16;
  const title = hasChangesOnly ? `Changes since print ${number - 1}` : 'Pick list';
  const day = formatWallDate(date, 'year');
  writeLine(
    doc,
    `${title} · ${day}`,
    { x: MARGIN_PT, y: MARGIN_PT },
    { size: 20, weight: 'bold', width },
  );
  const where = [farmName, placeName].filter(Boolean).join(' · ');
  writeLine(doc, where, { x: MARGIN_PT, y: MARGIN_PT + 28 }, { size: 12, width });
  const clock = wallClockIn(timeZone, new Date(at));
  const printed = `Print ${number}, ${formatWallDate(clock.date, 'year')} ${formatWallTime(clock.time)}, by ${by.name}`;
  writeLine(doc, printed, { x: MARGIN_PT, y: MARGIN_PT + 46 }, { size: 10, width, color: GREY });
  const x = A4.width - MARGIN_PT - QR_SIDE_PT;
  drawQr(doc, qrCodeOf(address), { x, y: MARGIN_PT, side: QR_SIDE_PT });
}

const BOX_PT = 12;
const CHANGE_WIDTH = 90;
const QUANTITY_WIDTH = 120;

function drawRow(doc: Document, { name, quantity, change }: SheetRow, y: number): void {
  const right = A4.width - MARGIN_PT;
  doc.lineWidth(0.5).strokeColor('#BBBBBB');
  doc
    .moveTo(MARGIN_PT, y + ROW_PT - 4)
    .lineTo(right, y + ROW_PT - 4)
    .stroke();
  doc
    .strokeColor('#000000')
    .rect(MARGIN_PT, y + 2, BOX_PT, BOX_PT)
    .stroke();
  const x = MARGIN_PT + BOX_PT + 10;
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
