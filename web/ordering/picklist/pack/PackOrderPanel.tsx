import { Hourglass, Minus, PackageCheck, Plus, Scale } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { CRATES_MAX, type PackingState } from '#contract/ordering/changes/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatLine, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { cn } from '../../../platform/ui/cn.ts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useMayPack, useShownList } from '../use-picklist.tsx';
import type { PickLine } from '../work/fold.ts';
import { type Lot, LotField, lotsOf } from './LotField.tsx';
import { AskConsumer, canBeWeighed, mustBeWeighed, WeighLine } from './WeighLine.tsx';

/** One order as it is packed: its lines, weighed here, its crates, and whether it is packed. */
export function PackOrderPanel({
  order,
  onPack,
}: {
  order: PickOrder;
  /** @param lots of the lines that have one, or had; by default as they are */
  onPack: (packing: PackingState, crates: number | null, lots?: readonly Lot[]) => void;
}) {
  const { lines, notes, packing, status, askedLineIds } = order;
  const crates = order.crates ?? 0;
  const here = lines.filter(({ quantity }) => quantity > 0);
  const gone = lines.filter(
    ({ quantity, orderedQuantity }) => quantity === 0 && orderedQuantity > 0,
  );
  const unweighed = here.filter((line) => mustBeWeighed(line) && line.packed === undefined);
  const mayChange = useMayPack() && status === 'accepted';
  const setPacking = (to: PackingState) => onPack(to, order.crates ?? null);
  const setCrates = (count: number) => onPack(packing === 'none' ? 'packing' : packing, count);
  return (
    <div className="grid gap-3 border-t border-hairline px-3 py-3">
      {notes && (
        <p className="rounded bg-straw-soft px-3 py-2 text-sm text-straw-ink">
          <span className="font-medium">{t('Note:')}</span> <bdi>{notes}</bdi>
        </p>
      )}
      {askedLineIds.length > 0 && (
        <Alert kind="warning">
          {t("A change waits for {name}'s answer.", { name: order.customer.name })}{' '}
          <Link href={`/orders/${order._id}`} className="link">
            {t('Show the order')}
          </Link>
        </Alert>
      )}
      <ul className="divide-y divide-hairline">
        {here.map((line) => (
          <LineRow
            key={line.lineId}
            order={order}
            line={line}
            mayChange={mayChange}
            onLot={(lot) =>
              onPack(packing, order.crates ?? null, [
                ...lotsOf(order).filter((other) => other.line !== line.lineId),
                { line: line.lineId, lot },
              ])
            }
          />
        ))}
      </ul>
      {gone.length > 0 && (
        <p className="text-sm text-ink-soft">
          {t('Taken out: {goods}.', {
            goods: listOf(
              gone.map(({ product, size }) => nameWithSize(product.name, size)),
              'unit',
            ),
          })}
        </p>
      )}
      {mayChange && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Crates crates={crates} customer={order.customer.name} onChange={setCrates} />
          <div className="flex grow flex-wrap justify-end gap-2">
            {packing === 'none' && (
              <Button variant="secondary" size="lg" onClick={() => setPacking('packing')}>
                {t('Start packing')}
              </Button>
            )}
            {packing === 'packed' ? (
              <Button variant="secondary" size="lg" onClick={() => setPacking('packing')}>
                {t('Not packed yet')}
              </Button>
            ) : (
              <Button
                size="lg"
                icon={<PackageCheck />}
                aria-label={t('Packed: order {shortId} of {name}', {
                  shortId: shortId(order._id),
                  name: order.customer.name,
                })}
                onClick={() => setPacking('packed')}
                className="grow sm:grow-0"
              >
                {t('Packed')}
              </Button>
            )}
          </div>
        </div>
      )}
      {unweighed.length > 0 && packing === 'packed' && (
        <p className="text-sm text-ink-soft">
          {t('{count, plural, one {# line is} other {# lines are}} not weighed yet.', {
            count: unweighed.length,
          })}
        </p>
      )}
    </div>
  );
}

function LineRow({
  order,
  line,
  mayChange,
  onLot,
}: {
  order: PickOrder;
  line: PickLine;
  mayChange: boolean;
  onLot: (lot: string) => void;
}) {
  const { renderShort } = useShownList();
  const [wantsScale, setWantsScale] = useState(false);
  const hasField =
    mayChange &&
    canBeWeighed(line) &&
    (mustBeWeighed(line) || wantsScale || line.packed !== undefined);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <span
        className={cn(
          'min-w-0 grow basis-40 text-base',
          line.quantity !== line.orderedQuantity && 'font-medium',
        )}
      >
        <span className="tabular text-lg font-semibold">{formatLine(line)}</span>
        {line.quantity < line.orderedQuantity && (
          <span className="tabular block text-sm text-ink-soft">
            {t('{quantity} ordered', { quantity: formatCount(line.orderedQuantity) })}
          </span>
        )}
        {order.askedLineIds.includes(line.lineId) && (
          <span className="flex items-center gap-1.5 text-sm font-medium text-straw-ink">
            <Hourglass className="size-4 shrink-0" />
            {t('{name} is asked about this', { name: order.customer.name })}
          </span>
        )}
        {line.packed !== undefined && !hasField && (
          <span className="tabular block text-sm text-ink-soft">
            {formatQuantity(line.packed, line.product.unit)}
          </span>
        )}
      </span>
      {hasField && (
        <WeighLine
          order={order}
          line={line}
          label={t('Weight of {goods} for {name}', {
            goods: formatLine(line),
            name: order.customer.name,
          })}
          className="basis-56 sm:basis-auto"
        />
      )}
      {mayChange && canBeWeighed(line) && !hasField && (
        <Button
          variant="quiet"
          size="icon"
          aria-label={t('Weigh {goods}', { goods: formatLine(line) })}
          onClick={() => setWantsScale(true)}
        >
          <Scale className="size-5" />
        </Button>
      )}
      <LotField line={line} mayChange={mayChange} onLot={onLot} />
      {mayChange && renderShort?.(order, line.lineId)}
      {hasField && <AskConsumer order={order} line={line} />}
    </li>
  );
}

function Crates({
  crates,
  customer,
  onChange,
}: {
  crates: number;
  customer: string;
  onChange: (crates: number) => void;
}) {
  const id = useId();
  const renderStep = (by: -1 | 1, label: string, icon: ReactNode) => {
    const next = crates + by;
    return (
      <Button
        variant="secondary"
        aria-label={label}
        disabled={next < 0 || next > CRATES_MAX}
        onClick={() => onChange(next)}
        className="size-12 px-0"
      >
        {icon}
      </Button>
    );
  };
  return (
    <fieldset className="flex items-center gap-2" aria-labelledby={id}>
      <span id={id} className="text-sm font-medium">
        {rich('Crates<span> for {customer}</span>', {
          customer,
          span: (inner) => <span className="sr-only">{inner}</span>,
        })}
      </span>
      {renderStep(-1, t('One crate less'), <Minus className="size-5" />)}
      <output className="tabular w-8 text-center text-lg font-semibold">{crates}</output>
      {renderStep(1, t('One crate more'), <Plus className="size-5" />)}
    </fieldset>
  );
}
