import { t } from '#contract/platform/text/constants/texts';
import {
  type Document,
  drawBox,
  drawQr,
  drawRule,
  drawText,
  fitText,
  openDocument,
  type Paper,
  qrCodeOf,
  type TextBlock,
  type TextStyle,
  writeText,
  yieldToEventLoop,
} from './document.ts';

// Lists on A4: a head with a code, rows with a box to tick, and the number of each page.

const PAGE = { width: 595.28, height: 841.89 };
const MARGIN_PT = 42;
const WIDTH_PT = PAGE.width - 2 * MARGIN_PT;
const QR_SIDE_PT = 64;
const FOOT_PT = 30;
const BOTTOM_PT = PAGE.height - MARGIN_PT - FOOT_PT;
const HEAD_LINE_PT = 18;
const ROW_MIN_PT = 24;
const ROW_PADDING_PT = 8;
const BOX_PT = 12;
const CELL_LEFT_PT = BOX_PT + 10;
const GAP_PT = 8;
export const GREY = '#555555';

/** What stands above the rows of a page: a title, and lines below it, the last of them in grey. */
export interface SheetHead {
  title: string;
  /** Stands for a title of which nothing can be drawn. */
  instead?: string;
  lines: readonly string[];
  /** Where its code leads. */
  link: string;
}

/** One text of a cell; empty ones take no room. */
export interface CellText extends Omit<TextStyle, 'width' | 'align'> {
  text: string;
}

export interface SheetColumn {
  /** In points; the one without a width takes what is left. */
  width?: number;
  align?: 'start' | 'end';
}

/** Texts below each other, for each column. */
export interface SheetRow {
  cells: readonly (readonly CellText[])[];
  /** A heading spans all columns and has no box. */
  isHeading?: boolean;
}

/** Pages with a head of their own. */
export interface Sheet {
  head: SheetHead;
  columns: readonly SheetColumn[];
  rows: readonly SheetRow[];
  /** What is said where there are no rows. */
  empty: string;
  /** What the pages are of: 'Print 2', of which they are counted. */
  name: string;
}

/** The height of a head, with the room below it. */
const heightOf = ({ lines }: SheetHead): number =>
  Math.max(QR_SIDE_PT, 28 + HEAD_LINE_PT * lines.length) + 24;

/** Starts making sheets as PDF, each from a page of its own on. @returns the document, which is being filled */
export function sheetsToPdf(
  sheets: Iterable<Sheet>,
  { title, at }: { title: string; at: Date },
): Document {
  return openDocument({ size: 'A4', title, at }, async (paper) => {
    for (const sheet of sheets) await drawSheet(paper, sheet);
  });
}

interface FittedRow {
  cells: readonly { blocks: readonly TextBlock[]; x: number }[];
  height: number;
  isHeading: boolean;
}

async function drawSheet(paper: Paper, sheet: Sheet): Promise<void> {
  const pages = await paginate(paper, sheet);
  for (const [index, rows] of pages.entries()) {
    if (paper.doc.destroyed) return;
    paper.doc.addPage();
    await drawHead(paper, sheet.head);
    let y = MARGIN_PT + heightOf(sheet.head);
    for (const row of rows) {
      drawRow(paper, row, y);
      y += row.height;
    }
    if (sheet.rows.length === 0) {
      const style = { size: 13, width: WIDTH_PT, color: GREY };
      await writeText(paper, sheet.empty, { x: MARGIN_PT, y }, style);
    }
    await writeText(
      paper,
      t('{sheet} · page {page, number} of {pages, number}', {
        sheet: sheet.name,
        page: index + 1,
        pages: pages.length,
      }),
      { x: MARGIN_PT, y: PAGE.height - MARGIN_PT - 10 },
      { size: 9, color: GREY, width: WIDTH_PT, align: 'end' },
    );
    await yieldToEventLoop();
  }
}

/** Rows that are fitted before other requests are answered. */
const ROWS_PER_TURN = 20;

/** Fits all rows, and puts them on pages; a heading stays with the row below it. */
async function paginate(paper: Paper, { head, rows, columns }: Sheet): Promise<FittedRow[][]> {
  const room = BOTTOM_PT - MARGIN_PT - heightOf(head);
  const pages: FittedRow[][] = [[]];
  let used = 0;
  for (const [index, row] of rows.entries()) {
    const fitted = await fitRow(paper, row, columns);
    const page = pages.at(-1) ?? [];
    const last = page.at(-1);
    if (page.length > 0 && used + fitted.height > room) {
      const moved = last?.isHeading ? page.splice(-1) : [];
      pages.push([...moved, fitted]);
      used = [...moved, fitted].reduce((sum, { height }) => sum + height, 0);
    } else {
      page.push(fitted);
      used += fitted.height;
    }
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await yieldToEventLoop();
  }
  return pages;
}

async function fitRow(
  paper: Paper,
  { cells, isHeading = false }: SheetRow,
  columns: readonly SheetColumn[],
): Promise<FittedRow> {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const left = isHeading ? 0 : CELL_LEFT_PT;
  let x = MARGIN_PT + left;
  const fitted: { blocks: TextBlock[]; x: number }[] = [];
  for (const [index, texts] of cells.entries()) {
    const column = columns[index];
    const all = isHeading ? WIDTH_PT : (column?.width ?? WIDTH_PT - CELL_LEFT_PT - fixed);
    const isLast = index === cells.length - 1;
    const blocks: TextBlock[] = [];
    for (const { text, ...style } of texts) {
      const width = all - (isLast ? 0 : GAP_PT);
      const align = isHeading ? 'start' : (column?.align ?? 'start');
      blocks.push(await fitText(paper, text, { ...style, width, align }));
    }
    fitted.push({ blocks, x });
    x += all;
  }
  const heights = fitted.map(({ blocks }) => blocks.reduce((sum, { height }) => sum + height, 0));
  return {
    cells: fitted,
    height: Math.max(ROW_MIN_PT, Math.max(...heights) + ROW_PADDING_PT),
    isHeading,
  };
}

function drawRow(paper: Paper, { cells, height, isHeading }: FittedRow, y: number): void {
  drawRule(paper, {
    x: MARGIN_PT,
    y: y + height - 4,
    width: WIDTH_PT,
    ...(isHeading ? { color: '#000000' } : {}),
  });
  if (!isHeading) drawBox(paper, { x: MARGIN_PT, y: y + 2, side: BOX_PT });
  for (const { blocks, x } of cells) {
    let top = y + 1;
    for (const block of blocks) {
      drawText(paper, block, { x, y: top });
      top += block.height;
    }
  }
}

async function drawHead(paper: Paper, { title, instead, lines, link }: SheetHead): Promise<void> {
  const width = WIDTH_PT - QR_SIDE_PT - 16;
  const at = { x: MARGIN_PT, y: MARGIN_PT };
  await writeText(paper, title, at, { size: 20, weight: 'bold', width, instead });
  for (const [index, text] of lines.entries()) {
    const y = MARGIN_PT + 28 + index * HEAD_LINE_PT;
    const isLast = index === lines.length - 1;
    const style = isLast ? { size: 10, width, color: GREY } : { size: 12, width };
    await writeText(paper, text, { x: MARGIN_PT, y }, style);
  }
  const x = MARGIN_PT + WIDTH_PT - QR_SIDE_PT;
  drawQr(paper, qrCodeOf(link), { x, y: MARGIN_PT, side: QR_SIDE_PT });
}
