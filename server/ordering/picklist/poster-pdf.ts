import { theMarket } from '#contract/platform/market/constants';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import {
  type Document,
  drawQr,
  drawText,
  fitText,
  openDocument,
  qrCodeOf,
  writeText,
} from './paper/document.ts';
import { GREY } from './paper/sheet.ts';
import { nameless } from './sheet-pdf.ts';

// A poster on A4 for a market stall or a farm's gate: whose goods these are, and a code that leads to the farm's page.

const PAGE = { width: 595.28, height: 841.89 };
const MARGIN_PT = 56;
const WIDTH_PT = PAGE.width - 2 * MARGIN_PT;
const QR_SIDE_PT = 330;
const QR_TOP_PT = 330;

/** What a poster shows of a farm. */
interface PosterText {
  farmName: string;
  /** Empty where the farm has not said. */
  town: string;
  /** The address of the farm's page. */
  address: string;
  at: Date;
}

/** Starts making the poster of a farm as PDF. @returns the document, which is being filled */
export function posterToPdf({ farmName, town, address, at }: PosterText): Document {
  const title = t('Poster of {farm}', { farm: farmName });
  return openDocument({ size: 'A4', title, at }, async (paper) => {
    const x = MARGIN_PT;
    const width = WIDTH_PT;
    paper.doc.addPage();
    await writeText(paper, t('Order from us online'), { x, y: MARGIN_PT }, { size: 20, width });
    const name = await fitText(paper, isolate(farmName), {
      ...{ size: 56, weight: 'bold' as const, width, lines: 4 },
      instead: nameless(),
    });
    drawText(paper, name, { x, y: MARGIN_PT + 34 });
    if (town !== '') {
      const y = MARGIN_PT + 42 + name.height;
      await writeText(paper, isolate(town), { x, y }, { size: 20, width, color: GREY });
    }
    const side = QR_SIDE_PT;
    drawQr(paper, qrCodeOf(address), { x: (PAGE.width - side) / 2, y: QR_TOP_PT, side });
    const below = QR_TOP_PT + side + 30;
    const words = t("Point your phone's camera at the code, or go to this address:");
    await writeText(paper, words, { x, y: below }, { size: 15, width });
    // People type it: without what browsers add themselves.
    const typed = isolate(address.replace(/^https?:\/\//, ''));
    await writeText(paper, typed, { x, y: below + 24 }, { size: 15, weight: 'bold', width });
    const foot = { x, y: PAGE.height - MARGIN_PT - 14 };
    await writeText(paper, theMarket().name, foot, { size: 13, width, color: GREY });
  });
}
