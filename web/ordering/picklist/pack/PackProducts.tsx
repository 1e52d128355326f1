import { useRef } from 'react';
import { goodsKeyOf, pickKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  toMilli,
  unitWord,
} from '#contract/platform/quantities/constants/quantities';
import { compareNames } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { useSearchParam } from '../../../platform/hooks/use-search-param.ts';
import { EmptyState } from '../../../platform/ui/feedback/states.tsx';
import { Select } from '../../../platform/ui/fields/controls.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { useMayPack, useShownList } from '../use-picklist.tsx';
import { timeOf } from '../words.ts';
import { type PickLine, type PickView, pickedOrders } from '../work/fold.ts';
import {
  AskConsumer,
  canBeWeighed,
  expectedWeight,
  mustBeWeighed,
  WeighLine,
} from './WeighLine.tsx';

type Entry = { order: PickOrder; line: PickLine };
type Group = { key: string; first: PickLine; entries: Entry[] };

/** Returns the products that can be weighed with their lines: those that have to be first, then by name. */
function groupsOf(view: PickView): Group[] {
  const groups = new Map<string, Group>();
  for (const order of pickedOrders(view)) {
    for (const line of order.lines) {
      if (!canBeWeighed(line)) continue;
      const key = pickKeyOf(line);
      const group = groups.get(key) ?? { key, first: line, entries: [] };
      group.entries.push({ order, line });
      groups.set(key, group);
    }
  }
  return [...groups.values()].sort(
    (a, b) =>
      Number(mustBeWeighed(b.first)) - Number(mustBeWeighed(a.first)) ||
      compareNames(a.first.product.name, b.first.product.name),
  );
}

/** Returns the name of a product, and how it is sold where the list has it in more ways. */
function nameAmong(groups: readonly Group[], { product, pieceWeight }: PickLine): string {
  const alike = groups.filter(({ first }) => first.product.name === product.name);
  const { name, unit } = product;
  if (alike.length === 1) return name;
  return pieceWeight
    ? t('{name}, by the piece', { name })
    : t('{name}, by the {unit}', { name, unit: unitWord(unit) });
}

/** Weighs one product over all orders, with the scale beside it: Enter goes on to the next. */
export function PackProducts() {
  const { view } = useShownList();
  const [chosen, setChosen] = useSearchParam('product');
  const groups = groupsOf(view);
  const group = groups.find(({ key }) => key === chosen) ?? groups[0];
  if (!group) {
    return (
      <EmptyState
        drawing="basket"
        title={t('Nothing to weigh')}
        text={t('Products that are priced by weight appear here.')}
      />
    );
  }
  return (
    <>
      <Field label={t('Product')}>
        <Select value={group.key} onChange={(event) => setChosen(event.target.value)}>
          {groups.map(({ key, first, entries }) => (
            <option key={key} value={key}>
              {t('{name} ({done} of {total} weighed)', {
                name: nameAmong(groups, first),
                done: entries.filter(({ line }) => line.packed !== undefined).length,
                total: entries.length,
              })}
            </option>
          ))}
        </Select>
      </Field>
      <Sums group={group} />
      <WeighTable key={group.key} group={group} />
    </>
  );
}

function Sums({ group: { first, entries } }: { group: Group }) {
  const { view } = useShownList();
  const { unit } = first.product;
  const weighed = entries.filter(({ line }) => line.packed !== undefined);
  const milliOf = (list: readonly Entry[], weight: (line: PickLine) => number) =>
    list.reduce((sum, { line }) => sum + toMilli(weight(line)), 0);
  const weighedMilli = milliOf(weighed, (line) => line.packed ?? 0);
  const restMilli = milliOf(
    entries.filter(({ line }) => line.packed === undefined),
    expectedWeight,
  );
  const key = pickKeyOf(first);
  const total = view.products.find((other) => goodsKeyOf(other) === key);
  // Pieces say nothing of how much there is to weigh out, nor does a harvest that is packed in sizes too.
  const harvestedMilli =
    total && !total.isByPiece && !total.sizes && total.ticked > 0 ? toMilli(total.ticked) : null;
  const leftMilli = harvestedMilli === null ? null : harvestedMilli - weighedMilli;
  const figures: [string, string][] = [
    [t('Weighed'), t('{done} of {total}', { done: weighed.length, total: entries.length })],
    [t('Together'), formatQuantity(fromMilli(weighedMilli), unit)],
    [t('Still expected'), `≈ ${formatQuantity(fromMilli(restMilli), unit)}`],
  ];
  if (leftMilli !== null) {
    figures.push([
      leftMilli < 0 ? t('More than harvested') : t('Left of the harvest'),
      formatQuantity(fromMilli(Math.abs(leftMilli)), unit),
    ]);
  }
  return (
    <dl className="sticky top-(--top-bar-height) z-10 grid grid-cols-2 gap-x-4 gap-y-1 rounded border border-hairline bg-raised px-3 py-2 sm:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="tabular text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function WeighTable({ group: { entries } }: { group: Group }) {
  const mayPack = useMayPack();
  const fields = useRef(new Map<string, HTMLInputElement>());
  const openNext = (from: number) => {
    const later = [...entries.slice(from + 1), ...entries.slice(0, from)];
    const next = later.find(({ line, order }) => line.packed === undefined && isOpen(order));
    const field = fields.current.get(next?.line.lineId ?? '');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  };
  return (
    <ul className="grid grid-cols-1 gap-2">
      {entries.map(({ order, line }, index) => (
        <li
          key={line.lineId}
          className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 rounded border border-hairline bg-surface px-3 py-2"
        >
          <span className="grid min-w-0 grow basis-40">
            <bdi className="text-base font-semibold">{order.customer.name}</bdi>
            <span className="tabular text-sm text-ink-soft wrap-anywhere">
              #{shortId(order._id)} · {timeOf(order)} · {formatLine(line)}
              {line.pieceWeight && ` ≈ ${formatQuantity(expectedWeight(line), line.product.unit)}`}
            </span>
          </span>
          {mayPack && isOpen(order) ? (
            <WeighLine
              ref={(field) => {
                if (field) fields.current.set(line.lineId, field);
                else fields.current.delete(line.lineId);
              }}
              order={order}
              line={line}
              label={t('Weight for {name} #{shortId}', {
                name: order.customer.name,
                shortId: shortId(order._id),
              })}
              onNext={() => openNext(index)}
              className="grow sm:grow-0"
            />
          ) : (
            <span className="tabular font-semibold">
              {line.packed === undefined
                ? t('Not weighed')
                : formatQuantity(line.packed, line.product.unit)}
            </span>
          )}
          {mayPack && isOpen(order) && <AskConsumer order={order} line={line} />}
        </li>
      ))}
    </ul>
  );
}

const isOpen = ({ status }: PickOrder): boolean => status === 'accepted';
