import type { LabelFormat } from '#contract/ordering/picklist/constants';
import type { LabelsQuery, PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatWallDate, formatWallTimes } from '#contract/platform/time/constants';
import {
  type Document,
  drawQr,
  openDocument,
  type QrCode,
  qrCodeOf,
  TWO_LINES_HEIGHT,
  writeLine,
  writeTwoLines,
  yieldToEventLoop,
} from './pdf-text.ts';

// Labels for crates and bags, one an order or one a line, on sheets or on a roll.

/** Points in a millimetre. */
const PT_PER_MM = 72 / 25.4;

/** Paper and the labels on it, in millimetres. */
interface Paper {
  page: { width: number; height: number };
  label: { width: number; height: number };
  columns: number;
  rows: number;
  /** The corner of the first label. */
  left: number;
  top: number;
  /** From one label to the next. */
  pitchX: number;
  pitchY: number;
}

const PAPERS: Record<LabelFormat, Paper> = {
  avery_l7160: {
    page: { width: 210, height: 297 },
    label: { width: 63.5, height: 38.1 },
    columns: 3,
    rows: 7,
    left: 7.2,
    top: 15.1,
    pitchX: 66.04,
    pitchY: 38.1,
  },
  avery_5160: {
    page: { width: 215.9, height: 279.4 },
    label: { width: 66.675, height: 25.4 },
    columns: 3,
    rows: 10,
    left: 4.76,
    top: 12.7,
    pitchX: 69.85,
    pitchY: 25.4,
  },
  roll_62: {
    page: { width: 62, height: 40 },
    label: { width: 62, height: 40 },
    columns: 1,
    rows: 1,
    left: 0,
    top: 0,
    pitchX: 62,
    pitchY: 40,
  },
};

/** What stands on one label. */
interface Label {
  name: string;
  /** '#1f2e3d4c · 2 of 6'. */
  number: string;
  /** What is in it: goods with their quantity or weight, or how many lines. */
  goods: string;
  place: string;
  time: string;
  /** Where the order is. */
  address: string;
}

type PickLine = PickOrder['lines'][number];

/** 'A. L.' of 'Ann Lee'. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]?.toUpperCase()}.`)
    .join(' ');

function goodsOf({ product: { name, unit }, quantity, pieceWeight, packed }: PickLine): string {
  const weight = packed === undefined ? '' : formatQuantity(packed, unit);
  if (!pieceWeight) return `${weight || formatQuantity(quantity, unit)} ${name}`;
  return [`${formatQuantity(quantity, 'each')} × ${name}`, weight].filter(Boolean).join(' · ');
}

/** Returns the labels of orders: one each, or one of each line that is not removed. */
export function labelsOf(
  orders: readonly PickOrder[],
  { per, names }: Pick<LabelsQuery, 'per' | 'names'>,
  publicUrl: string,
): Label[] {
  return orders.flatMap((order) => {
    const lines = order.lines.filter(({ quantity }) => quantity > 0);
    const name = names === 'full' ? order.customer.name : initialsOf(order.customer.name);
    const common = {
      name,
      place: order.place ?? order.address ?? '',
      time: `${formatWallDate(order.date, 'weekday')}, ${formatWallTimes(order.time, order.endTime)}`,
      address: `${publicUrl}/orders/${order._id}`,
    };
    const id = `#${shortId(order._id)}`;
    if (per === 'order') {
      const crates = order.crates === undefined ? '' : ` · ${counted(order.crates, 'crate')}`;
      return [{ ...common, number: id, goods: `${counted(lines.length, 'product')}${crates}` }];
    }
    return lines.map((line, index) => ({
      ...common,
      number: `${id} · ${index + 1} of ${lines.length}`,
      goods: goodsOf(line),
    }));
  });
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** Labels that are drawn before other requests are answered. */
const LABELS_PER_TURN = 10;
const PADDING_PT = 2.5 * PT_PER_MM;

/** Starts making labels as PDF. @returns the document, which is being filled */
export function labelsToPdf(
  labels: readonly Label[],
  format: LabelFormat,
  title: string,
): Document {
  const paper = PAPERS[format];
  const size: [number, number] = [paper.page.width * PT_PER_MM, paper.page.height * PT_PER_MM];
  return openDocument({ size, title, at: new Date() }, (doc) => draw(doc, labels, paper));
}

async function draw(doc: Document, labels: readonly Label[], paper: Paper): Promise<void> {
  const perPage = paper.columns * paper.rows;
  let code: { address: string; qr: QrCode } | undefined;
  for (const [index, label] of labels.entries()) {
    if (doc.destroyed) return;
    const nth = index % perPage;
    if (nth === 0) doc.addPage();
    // Labels of one order stand one behind the other.
    if (code?.address !== label.address) {
      code = { address: label.address, qr: qrCodeOf(label.address) };
    }
    drawLabel(doc, label, code.qr, {
      x: (paper.left + (nth % paper.columns) * paper.pitchX) * PT_PER_MM,
      y: (paper.top + Math.floor(nth / paper.columns) * paper.pitchY) * PT_PER_MM,
      width: paper.label.width * PT_PER_MM,
      height: paper.label.height * PT_PER_MM,
    });
    if (index % LABELS_PER_TURN === LABELS_PER_TURN - 1) await yieldToEventLoop();
  }
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The lines of a label: their size, in points where it is high enough. */
const LINES: readonly [field: keyof Label, size: number, weight: 'regular' | 'bold'][] = [
  ['name', 13, 'bold'],
  ['number', 8.5, 'regular'],
  ['goods', 10.5, 'bold'],
  ['place', 9, 'regular'],
  ['time', 9, 'regular'],
];
const LEADING = 1.25;
const LINES_HEIGHT = LINES.reduce((sum, [, size]) => sum + size * LEADING, 0);
/** What two lines of goods take more than one, in points. */
const GOODS_EXTRA = LINES.reduce(
  (sum, [field, size]) => sum + (field === 'goods' ? size * (TWO_LINES_HEIGHT - LEADING) : 0),
  0,
);
const SCALE_MAX = 1.2;
const QR_SIDE_MAX = 15 * PT_PER_MM;

function drawLabel(doc: Document, label: Label, qr: QrCode, { x, y, width, height }: Area): void {
  const room = height - 2 * PADDING_PT;
  const side = Math.min(room, QR_SIDE_MAX);
  drawQr(doc, qr, { x: x + width - PADDING_PT - side, y: y + (height - side) / 2, side });
  const scale = Math.min(SCALE_MAX, room / LINES_HEIGHT);
  // Where the label is high enough, its goods may take two lines.
  const hasTwoLines = room >= (LINES_HEIGHT + GOODS_EXTRA) * scale;
  let top = y + (height - (LINES_HEIGHT + (hasTwoLines ? GOODS_EXTRA : 0)) * scale) / 2;
  for (const [field, points, weight] of LINES) {
    const style = { size: points * scale, weight, width: width - 3 * PADDING_PT - side };
    const isGoods = field === 'goods' && hasTwoLines;
    const extra = isGoods ? GOODS_EXTRA * scale : 0;
    const at = { x: x + PADDING_PT, y: top + extra / 2 };
    (isGoods ? writeTwoLines : writeLine)(doc, label[field], at, style);
    top += points * LEADING * scale + extra;
  }
}
