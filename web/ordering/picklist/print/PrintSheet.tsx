import { t } from '#contract/platform/text/constants/texts';
import './print.css';
import { type ReactNode, useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { LabelFormat } from '#contract/ordering/picklist/constants';
import { goodsKeyOf, packKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PrintedPicklist } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatQuantityChange } from '#contract/platform/quantities/constants/piece-words';
import { formatGoodsQuantity, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatWallDate } from '#contract/platform/time/constants';
import { formatInstant } from '../../../platform/format/format.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { Qr } from '../../../platform/ui/Qr.tsx';
import { addressOfList, addressOfOrder } from '../DayBar.tsx';
import { describePacking, timeOf } from '../words.ts';
import type { Label } from './LabelsDialog.tsx';
import type { Paper } from './PrintDialog.tsx';

/** What is printed: a numbered print of the list, or labels. */
export type PrintJob =
  | { kind: 'list'; print: PrintedPicklist; placeName: string; onlyChanges: boolean; paper: Paper }
  | { kind: 'labels'; date: string; format: LabelFormat; labels: readonly Label[] };

/** Puts something beside the page, opens the browser's print dialog with it, and calls `onDone` when that is closed. */
export default function PrintSheet({ job, onDone }: { job: PrintJob; onDone: () => void }) {
  useEffect(() => {
    window.addEventListener('afterprint', onDone);
    // The sheet is laid out by then.
    const frame = requestAnimationFrame(() => window.print());
    return () => {
      window.removeEventListener('afterprint', onDone);
      cancelAnimationFrame(frame);
    };
  }, [onDone]);
  const content: ReactNode = job.kind === 'list' ? <ListSheet {...job} /> : <LabelSheet {...job} />;
  const format = job.kind === 'list' ? `list-${job.paper}` : job.format;
  return createPortal(
    <div data-print-sheet={format} aria-hidden="true">
      {content}
    </div>,
    document.body,
  );
}

function ListSheet({ print, placeName, onlyChanges }: Extract<PrintJob, { kind: 'list' }>) {
  const { number, at, by, date, place, products, sinceLast } = print;
  const rows = onlyChanges
    ? sinceLast.map(({ delta, ...goods }) => ({
        goods,
        name: nameWithSize(goods.product.name, goods.size),
        figure: formatQuantityChange(goods, delta),
        packing: '',
      }))
    : products.map(({ quantity, ...goods }) => ({
        goods: { ...goods, size: undefined },
        name: goods.product.name,
        figure: formatGoodsQuantity(goods, quantity),
        packing: describePacking({ ...goods, quantity }),
      }));
  return (
    <table className="pick-sheet">
      <thead>
        <tr>
          <th colSpan={3}>
            <span className="pick-head">
              <span>
                <h1>
                  {onlyChanges
                    ? t('Changes since print {number}', { number: number - 1 })
                    : t('Pick list')}
                </h1>
                {placeName
                  ? t('{day}, {place}', { day: formatWallDate(date, 'long'), place: placeName })
                  : formatWallDate(date, 'long')}
                <br />
                {t('Print {number}, {at}, {name}', {
                  number,
                  at: formatInstant(at),
                  name: by.name,
                })}
              </span>
              <Qr text={addressOfList({ date, place })} className="pick-qr" />
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ goods, name, figure, packing }) => (
          <tr key={`${goodsKeyOf(goods)}|${packKeyOf(goods.size)}`}>
            <td>
              <span className="pick-box" />
            </td>
            <td>
              <bdi>{name}</bdi>
              {packing && <div className="pick-packing">{packing}</div>}
            </td>
            <td className="pick-figure">{figure}</td>
          </tr>
        ))}
        {onlyChanges && sinceLast.length === 0 && (
          <tr>
            <td colSpan={3}>
              {t('Nothing has changed since print {number}.', { number: number - 1 })}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function LabelSheet({ date, labels }: Extract<PrintJob, { kind: 'labels' }>) {
  return (
    <div className="pick-labels">
      {labels.map(({ key, order, name, goods, part }) => (
        <div key={key} className="pick-label">
          <span className="pick-label-text">
            <strong dir="auto">{name}</strong>
            <span>
              <b>{order.address === null ? t('PICKUP') : t('DELIVERY')}</b> · #{shortId(order._id)}
              {part && ` · ${part}`}
            </span>
            {goods && <b>{goods}</b>}
            {(order.addressLines ?? [order.address ?? order.place]).map((line, index) => (
              <span key={index === 0 ? 'place' : 'town'} dir="auto" className="pick-label-place">
                {line}
              </span>
            ))}
            <span>
              {rich('{day}, {time}', {
                day: formatWallDate(date, 'weekday'),
                time: <span className="pick-label-time">{timeOf(order)}</span>,
              })}
            </span>
          </span>
          <Qr text={addressOfOrder(order._id)} className="pick-qr" />
        </div>
      ))}
    </div>
  );
}
