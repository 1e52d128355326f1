import { useQueryClient } from '@tanstack/react-query';
import { Hourglass, Minus, PackageCheck, Plus, Scale } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { CRATES_MAX, type PackingState } from '#contract/ordering/changes/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatCount, plural } from '../../../platform/format/format.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { formatLine, formatWeight } from '../words.ts';
import type { QueuedWork, WeighWork } from '../work/queued-work.ts';
import { doWork } from '../work/send-work.ts';
import { AskBuyer } from './AskBuyer.tsx';
import { WeighLine } from './WeighLine.tsx';
import { canBeWeighed, mustBeWeighed, type PickLine } from './weighing.ts';

/** A slot for 'short of this', which is another feature's. */
export type RenderShort = (order: PickOrder, lineId: string) => ReactNode;

/** One order as it is packed: its lines, weighed here, its crates, and whether it is packed. */
export function PackOrderPanel({
  order,
  queued,
  mayPack,
  renderShort,
  onPack,
}: {
  order: PickOrder;
  queued: readonly QueuedWork[];
  mayPack: boolean;
  renderShort?: RenderShort | undefined;
  onPack: (packing: PackingState, crates: number | null) => void;
}) {
  const { lines, notes, packing, status, askedLineIds } = order;
  const crates = order.crates ?? 0;
  const here = lines.filter(({ quantity }) => quantity > 0);
  const gone = lines.filter(
    ({ quantity, orderedQuantity }) => quantity === 0 && orderedQuantity > 0,
  );
  const unweighed = here.filter((line) => mustBeWeighed(line) && line.packed === undefined);
  const mayChange = mayPack && status === 'accepted';
  const setCrates = (count: number) =>
    onPack(packing === 'none' ? 'packing' : packing, Math.max(0, Math.min(CRATES_MAX, count)));
  return (
    <div className="grid gap-3 border-t border-hairline px-3 py-3">
      {notes && (
        <p className="rounded bg-straw-soft px-3 py-2 text-sm text-straw-ink">
          <span className="font-medium">Note:</span> {notes}
        </p>
      )}
      {askedLineIds.length > 0 && (
        <Alert kind="warning">
          A change waits for {order.customer.name}'s answer.{' '}
          <Link href={`/orders/${order._id}`} className="link">
            Show the order
          </Link>
        </Alert>
      )}
      <ul className="divide-y divide-hairline">
        {here.map((line) => (
          <LineRow
            key={line.lineId}
            order={order}
            line={line}
            queued={queued}
            mayChange={mayChange}
            short={renderShort?.(order, line.lineId)}
          />
        ))}
      </ul>
      {gone.length > 0 && (
        <p className="text-sm text-ink-soft">
          Taken out: {gone.map(({ product }) => product.name).join(', ')}.
        </p>
      )}
      {mayChange && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Crates crates={crates} customer={order.customer.name} onChange={setCrates} />
          <div className="flex grow flex-wrap justify-end gap-2">
            {packing === 'none' && (
              <Button
                variant="secondary"
                size="lg"
                onClick={() => onPack('packing', order.crates ?? null)}
              >
                Start packing
              </Button>
            )}
            {packing === 'packed' ? (
              <Button
                variant="secondary"
                size="lg"
                onClick={() => onPack('packing', order.crates ?? null)}
              >
                Not packed yet
              </Button>
            ) : (
              <Button
                size="lg"
                icon={<PackageCheck />}
                aria-label={`Packed: order ${shortId(order._id)} of ${order.customer.name}`}
                onClick={() => onPack('packed', order.crates ?? null)}
                className="grow sm:grow-0"
              >
                Packed
              </Button>
            )}
          </div>
        </div>
      )}
      {unweighed.length > 0 && packing === 'packed' && (
        <p className="text-sm text-ink-soft">
          {plural(unweighed.length, 'line is', 'lines are')} not weighed yet.
        </p>
      )}
    </div>
  );
}

function LineRow({
  order,
  line,
  queued,
  mayChange,
  short,
}: {
  order: PickOrder;
  line: PickLine;
  queued: readonly QueuedWork[];
  mayChange: boolean;
  short: React.ReactNode;
}) {
  const cache = useQueryClient();
  const [wantsScale, setWantsScale] = useState(false);
  const works = queued.filter(
    (work): work is WeighWork => work.kind === 'weigh' && work.lineId === line.lineId,
  );
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
            {formatCount(line.orderedQuantity)} ordered
          </span>
        )}
        {order.askedLineIds.includes(line.lineId) && (
          <span className="flex items-center gap-1.5 text-sm font-medium text-straw-ink">
            <Hourglass aria-hidden="true" className="size-4 shrink-0" />
            {order.customer.name} is asked about this
          </span>
        )}
        {line.packed !== undefined && !hasField && (
          <span className="tabular block text-sm text-ink-soft">
            {formatWeight(line.packed, line.product.unit)}
          </span>
        )}
      </span>
      {hasField && (
        <WeighLine
          line={line}
          label={`Weight of ${formatLine(line)} for ${order.customer.name}`}
          refusal={works.findLast(({ refusal }) => refusal !== undefined)?.refusal}
          isUnsent={works.some(({ refusal }) => refusal === undefined)}
          onWeigh={(weights) => weigh(cache, order, line, weights)}
          className="basis-56 sm:basis-auto"
        />
      )}
      {mayChange && canBeWeighed(line) && !hasField && (
        <Button
          variant="quiet"
          size="icon"
          aria-label={`Weigh ${formatLine(line)}`}
          onClick={() => setWantsScale(true)}
        >
          <Scale aria-hidden="true" className="size-5" />
        </Button>
      )}
      {mayChange && short}
      {hasField && works.length === 0 && <AskBuyer order={order} line={line} />}
    </li>
  );
}

/** Writes what a line weighs. */
export function weigh(
  cache: ReturnType<typeof useQueryClient>,
  order: PickOrder,
  line: PickLine,
  weights: number[],
): void {
  doWork(cache, {
    kind: 'weigh',
    orderId: order._id,
    lineId: line.lineId,
    weights,
    expectedPacked: line.packed ?? null,
    label: `The weight of ${formatLine(line)} for ${order.customer.name}`,
  });
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
  return (
    <fieldset className="flex items-center gap-2" aria-labelledby={id}>
      <span id={id} className="text-sm font-medium">
        Crates
        <span className="sr-only"> for {customer}</span>
      </span>
      <Button
        variant="secondary"
        aria-label="One crate less"
        disabled={crates <= 0}
        onClick={() => onChange(crates - 1)}
        className="size-12 px-0"
      >
        <Minus aria-hidden="true" className="size-5" />
      </Button>
      <output className="tabular w-8 text-center text-lg font-semibold">{crates}</output>
      <Button
        variant="secondary"
        aria-label="One crate more"
        disabled={crates >= CRATES_MAX}
        onClick={() => onChange(crates + 1)}
        className="size-12 px-0"
      >
        <Plus aria-hidden="true" className="size-5" />
      </Button>
    </fieldset>
  );
}
