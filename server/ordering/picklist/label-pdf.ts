import type { LabelFormat } from '#contract/ordering/picklist/constants';
import type { LabelsQuery, PickOrder } from '#contract/ordering/picklist/picklist';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isolate } from '#contract/platform/text/constants/reader';
import { isVisible } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import type { SkuOf } from '../model/skus.ts';
import {
  type Document,
  drawQr,
  drawText,
  fitText,
  LINE_HEIGHT,
  openDocument,
  type Paper,
  type QrCode,
  qrCodeOf,
  type TextBlock,
  yieldToEventLoop,
} from './paper/document.ts';
import {
  besides,
  describeContent,
  describeMethod,
  describeTime,
  numberOf,
  whereaboutsOf,
} from './words.ts';

// Labels for crates and bags, one an order or one a line, on sheets or on a roll.

/** Points in a millimetre. */
const PT_PER_MM = 72 / 25.4;

/** Paper and the labels on it, in millimetres. */
interface Sheet {
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

const SHEETS: Record<LabelFormat, Sheet> = {
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
  /** Stands for a name of pictures alone: the number of the order. */
  instead: string;
  /** 'PICKUP · #1f2e3d4c · 2 of 6'. */
  number: string;
  /** What is in it: goods with their quantity or weight, or how many lines. */
  goods: string;
  /** Where it is picked up, or the street that it is delivered to. */
  place: string;
  /** The rest of an address: its town. */
  town: string;
  time: string;
  /** Where the order is shown. */
  link: string;
}

type PickLine = PickOrder['lines'][number];

/** 'A. L.' of 'Ann Lee'. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(isVisible)
    .map((word) => `${initialOf(word)}.`)
    .join(' ');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The first character with its marks. */
const initialOf = (word: string): string =>
  [...graphemes.segment(word)][0]?.segment.toUpperCase() ?? '';

/** '2 lb Carrots', '2 × Carrots (5 kg) · K-5' with an SKU, '2 × Chicken · 3.7 kg' of what was weighed. */
function goodsOf(line: PickLine, sku: string | undefined): string {
  const { product, pieceWeight, packed } = line;
  const weight = packed === undefined ? null : formatQuantity(packed, product.unit);
  return weight !== null && !pieceWeight
    ? besides(`${isolate(weight)} ${isolate(product.name)}`, sku ?? null)
    : besides(formatLine(line), weight, sku ?? null);
}

/** Returns the labels of orders: one each, or one of each line that is not removed. */
export function labelsOf(
  orders: readonly PickOrder[],
  { per, names }: Pick<LabelsQuery, 'per' | 'names'>,
  publicUrl: string,
  skuOf: SkuOf = () => undefined,
): Label[] {
  return orders.flatMap((order) => {
    const lines = order.lines.filter(({ quantity }) => quantity > 0);
    const name = isolate(names === 'full' ? order.customer.name : initialsOf(order.customer.name));
    const [place = '', town = ''] = whereaboutsOf(order);
    const common = {
      name,
      instead: numberOf(order),
      place,
      town,
      time: describeTime(order),
      link: `${publicUrl}/orders/${order._id}`,
    };
    if (per === 'order') {
      return [
        {
          ...common,
          number: besides(describeMethod(order), numberOf(order)),
          goods: describeContent(order),
        },
      ];
    }
    return lines.map((line, index) => ({
      ...common,
      number: besides(
        describeMethod(order),
        numberOf(order),
        t('{nth, number} of {count, number}', { nth: index + 1, count: lines.length }),
      ),
      goods: goodsOf(line, skuOf(line)),
    }));
  });
}

/** Labels that are drawn before other requests are answered. */
const LABELS_PER_TURN = 10;
const PADDING_PT = 2.5 * PT_PER_MM;

/** Starts making labels as PDF. @returns the document, which is being filled */
export function labelsToPdf(
  labels: readonly Label[],
  format: LabelFormat,
  title: string,
): Document {
  const sheet = SHEETS[format];
  const size: [number, number] = [sheet.page.width * PT_PER_MM, sheet.page.height * PT_PER_MM];
  return openDocument({ size, title, at: new Date() }, (paper) => draw(paper, labels, sheet));
}

async function draw(paper: Paper, labels: readonly Label[], sheet: Sheet): Promise<void> {
  const perPage = sheet.columns * sheet.rows;
  let code: { link: string; qr: QrCode } | undefined;
  for (const [index, label] of labels.entries()) {
    if (paper.doc.destroyed) return;
    const nth = index % perPage;
    if (nth === 0) paper.doc.addPage();
    // Labels of one order stand one behind the other.
    if (code?.link !== label.link) code = { link: label.link, qr: qrCodeOf(label.link) };
    await drawLabel(paper, label, code.qr, {
      x: (sheet.left + (nth % sheet.columns) * sheet.pitchX) * PT_PER_MM,
      y: (sheet.top + Math.floor(nth / sheet.columns) * sheet.pitchY) * PT_PER_MM,
      width: sheet.label.width * PT_PER_MM,
      height: sheet.label.height * PT_PER_MM,
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
  ['number', 8.5, 'bold'],
  ['goods', 10.5, 'bold'],
  ['place', 9, 'regular'],
  ['town', 9, 'regular'],
  ['time', 9, 'regular'],
];
const LEADING = 1.25;
const SCALE_MAX = 1.2;
/** How small the parts of two lines are set. */
const TWO_LINES_SCALE = 0.7;
const QR_SIDE_MAX = 15 * PT_PER_MM;

async function drawLabel(
  paper: Paper,
  label: Label,
  qr: QrCode,
  { x, y, width, height }: Area,
): Promise<void> {
  const room = height - 2 * PADDING_PT;
  const side = Math.min(room, QR_SIDE_MAX);
  drawQr(paper, qr, { x: x + width - PADDING_PT - side, y: y + (height - side) / 2, side });
  const shown = LINES.filter(([field]) => field !== 'town' || label.town);
  const scale = Math.min(
    SCALE_MAX,
    room / shown.reduce((sum, [, size]) => sum + size * LEADING, 0),
  );
  const blocks: TextBlock[] = [];
  let used = shown.reduce((sum, [, size]) => sum + size * LEADING * scale, 0);
  for (const [field, points, weight] of shown) {
    const size = points * scale;
    // Where the label is high enough, its goods may take two lines.
    const extra = (2 * TWO_LINES_SCALE * LINE_HEIGHT - LEADING) * size;
    const lines = field === 'goods' && used + extra <= room ? 2 : 1;
    const block = await fitText(paper, label[field], {
      size,
      weight,
      lines,
      width: width - 3 * PADDING_PT - side,
      instead: field === 'name' ? label.instead : undefined,
    });
    if (block.lines.length > 1) used += extra;
    blocks.push(block);
  }
  let top = y + (height - used) / 2;
  for (const block of blocks) {
    const taken = Math.max(block.style.size * LEADING, block.height);
    drawText(paper, block, { x: x + PADDING_PT, y: top + (taken - block.height) / 2 });
    top += taken;
  }
}
