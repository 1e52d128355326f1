import type { DaySheet } from '#contract/ordering/picklist/constants';
import { formatGoodsQuantity, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isolate } from '#contract/platform/text/constants/reader';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';
import type { SkuOf } from '../model/skus.ts';
import type { HandoverOrder } from './orders.ts';
import type { Document } from './paper/document.ts';
import { type CellText, GREY, type Sheet, type SheetRow, sheetsToPdf } from './paper/sheet.ts';
import { nameless } from './sheet-pdf.ts';
import {
  besides,
  countCrates,
  countDeliveries,
  countOrders,
  describeContent,
  describeMethod,
  describeTime,
  numberOf,
  whereaboutsOf,
} from './words.ts';

// A day's orders on A4, for those who pack, load and drive.

/** What the sheets show beside the orders. */
interface DayText {
  date: string;
  farmName: string;
  placeName: string | null;
  publicUrl: string;
  /** Where the live list is. */
  address: string;
  skuOf: SkuOf;
}

const NAMES: Record<DaySheet, Message> = {
  packing_slips: msg('Packing slips'),
  loading_list: msg('Loading list'),
  run_sheet: msg('Run sheet'),
};

/** Whether an order is on a sheet: drivers have the deliveries alone. */
export const isOnSheet = (sheet: DaySheet, isDelivery: boolean): boolean =>
  sheet !== 'run_sheet' || isDelivery;

const MAKE: Record<DaySheet, (orders: readonly HandoverOrder[], text: DayText) => Sheet[]> = {
  packing_slips: (orders, text) => orders.map((order) => packingSlip(order, text)),
  loading_list: (orders, text) => [loadingList(orders, text)],
  run_sheet: (orders, text) => [runSheet(orders, text)],
};

/** Starts making sheets of a day as PDF. @returns the document, which is being filled */
export const dayToPdf = (
  sheet: DaySheet,
  orders: readonly HandoverOrder[],
  text: DayText,
): Document =>
  sheetsToPdf(MAKE[sheet](orders, text), {
    title: `${writeMessage(NAMES[sheet])} ${text.date}`,
    at: new Date(),
  });

/** The most lines of a note that are printed. */
const NOTE_LINES_MAX = 12;
const noteOf = ({ notes }: HandoverOrder): CellText[] =>
  notes.trim() === ''
    ? []
    : [{ text: t('Note: {notes}', { notes }), size: 10, scaleMin: 1, lines: NOTE_LINES_MAX }];

const nameOf = (order: HandoverOrder): CellText => ({
  text: isolate(order.customer.name),
  size: 13,
  weight: 'bold',
  lines: 2,
  instead: numberOf(order),
});
const small = (text: string): CellText => ({ text, size: 10, lines: 2, color: GREY });

function slipRow(
  { product, size, quantity, pieceWeight, packed }: HandoverOrder['lines'][number],
  sku: string | undefined,
): SheetRow {
  const counted = formatGoodsQuantity(
    { product, size, isByPiece: pieceWeight !== undefined },
    quantity,
  );
  return {
    cells: [
      [
        {
          text: isolate(nameWithSize(product.name, size)),
          size: 13,
          lines: 2,
          instead: nameless(),
        },
        ...(sku ? [small(isolate(sku))] : []),
      ],
      [{ text: isolate(counted), size: 13, weight: 'bold' }],
      [
        {
          text: packed === undefined ? '' : isolate(formatQuantity(packed, product.unit)),
          size: 11,
        },
      ],
    ],
  };
}

function packingSlip(order: HandoverOrder, { farmName, publicUrl, skuOf }: DayText): Sheet {
  const note: SheetRow[] = noteOf(order).map((text) => ({ cells: [[text]], isHeading: true }));
  return {
    head: {
      title: isolate(order.customer.name),
      instead: numberOf(order),
      lines: [
        besides(describeMethod(order), describeTime(order)),
        ...whereaboutsOf(order),
        besides(numberOf(order), describeContent(order), farmName),
      ],
      link: `${publicUrl}/orders/${order._id}`,
    },
    columns: [{}, { width: 120, align: 'end' }, { width: 90, align: 'end' }],
    rows: [
      ...note,
      ...order.lines
        .filter(({ quantity }) => quantity > 0)
        .map((line) => slipRow(line, skuOf(line))),
    ],
    empty: t('Nothing is left of this order.'),
    name: numberOf(order),
  };
}

/** Adds up crates, if anybody has counted any: 'Market hall · 3 orders · 5 crates'. */
function countAll(counted: string, orders: readonly HandoverOrder[]): string {
  const crates = orders.reduce((sum, order) => sum + (order.crates ?? 0), 0);
  return crates === 0 ? counted : `${counted} · ${countCrates(crates)}`;
}

const headOf = (sheet: DaySheet, counts: string, text: DayText): Sheet['head'] => ({
  title: besides(writeMessage(NAMES[sheet]), formatWallDate(text.date, 'year')),
  lines: [besides(text.farmName, text.placeName), counts],
  link: text.address,
});

function loadingList(orders: readonly HandoverOrder[], text: DayText): Sheet {
  const rowsAt = (place: string | null): SheetRow[] => {
    const all = orders.filter((order) => order.place === place);
    const where = place === null ? t('Deliveries') : place;
    const heading = `${isolate(where)} · ${countAll(countOrders(all.length), all)}`;
    return [
      { isHeading: true, cells: [[{ text: heading, size: 11, weight: 'bold' }]] },
      ...all.map((order) => ({
        cells: [
          [{ text: isolate(formatWallTimes(order.time, order.endTime)), size: 11, lines: 2 }],
          [nameOf(order), small(besides(numberOf(order), ...(order.addressLines ?? [])))],
          [{ text: describeContent(order), size: 11, lines: 2 }],
        ],
      })),
    ];
  };
  const rows = [...new Set(orders.map(({ place }) => place))].flatMap(rowsAt);
  return {
    head: headOf('loading_list', countAll(countOrders(orders.length), orders), text),
    columns: [{ width: 96 }, {}, { width: 130, align: 'end' }],
    rows,
    empty: t('Nothing to load.'),
    name: writeMessage(NAMES.loading_list),
  };
}

function runSheet(orders: readonly HandoverOrder[], text: DayText): Sheet {
  return {
    head: headOf('run_sheet', countAll(countDeliveries(orders.length), orders), text),
    columns: [{ width: 80 }, {}, { width: 140, align: 'end' }],
    rows: orders.map((order) => ({
      cells: [
        [{ text: isolate(formatWallTimes(order.time, order.endTime)), size: 13, weight: 'bold' }],
        [
          nameOf(order),
          ...whereaboutsOf(order).map((line) => ({ text: line, size: 11, lines: 2 })),
          ...noteOf(order),
        ],
        [
          { text: isolate(order.phone), size: 13, weight: 'bold' },
          { text: describeContent(order), size: 11 },
          small(numberOf(order)),
        ],
      ],
    })),
    empty: t('Nothing to deliver.'),
    name: writeMessage(NAMES.run_sheet),
  };
}
