import { useState } from 'react';
import {
  LABEL_FORMATS,
  LABELS_MAX,
  type LabelFormat,
  picklistFiles,
} from '#contract/ordering/picklist/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatCount } from '#contract/platform/text/constants/formats';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { initial } from '../../../platform/format/format.ts';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { scopeFields } from '../queries.ts';
import { type PickView, pickedOrders } from '../work/fold.ts';
import { downloadPdf, PaperDialog, RadioRows } from './PaperDialog.tsx';

const FORMATS: Record<LabelFormat, Message> = {
  avery_l7160: msg('A4 sheets, 21 labels of 63.5 × 38.1 mm (L7160)'),
  avery_5160: msg('Letter sheets, 30 labels of 2⅝ × 1 in (5160)'),
  roll_62: msg('62 mm roll, one below the other'),
};
const PER_SHEET: Record<LabelFormat, number> = { avery_l7160: 21, avery_5160: 30, roll_62: 1 };

type LabelsChoice = LabelChoice & { format: LabelFormat };

/** Asks what labels to print, says how many that are, and prints them or downloads a PDF. */
export function LabelsDialog({
  view,
  onPrint,
  onClose,
}: {
  view: PickView;
  onPrint: (choice: LabelsChoice) => void;
  onClose: () => void;
}) {
  const [choice, setChoice] = useState<LabelsChoice>({
    format: LABEL_FORMATS[0],
    per: 'order',
    names: 'full',
  });
  const set = (changed: Partial<LabelsChoice>) => setChoice({ ...choice, ...changed });
  const count = labelsOf(view, choice).length;
  const perSheet = PER_SHEET[choice.format];
  const hasSheets = perSheet > 1 && count > 0;
  const isTooMany = count > LABELS_MAX;
  const isImpossible = count === 0 || isTooMany;
  const download = useCommand(
    () =>
      downloadPdf(
        picklistFiles.labels,
        { ...scopeFields(view), ...choice },
        `labels-${view.date}.pdf`,
      ),
    { onSuccess: onClose },
  );
  return (
    <PaperDialog
      onOpenChange={(open) => !open && onClose()}
      title={t('Labels')}
      description={t(
        "Each has the customer, the order's number, the time and place, and a code that opens the order here.",
      )}
      pdf={{
        pending: download.isPending,
        disabled: isImpossible,
        onClick: () => download.mutate(),
      }}
      print={{
        // Nobody would miss the labels of the orders that are not here yet.
        disabled: isImpossible || !view.isWhole,
        onClick: () => onPrint(choice),
      }}
    >
      <RadioRows
        label={t('Paper')}
        value={choice.format}
        onChange={(format) => set({ format })}
        options={FORMATS}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <RadioRows
          label={t('One label for each')}
          value={choice.per}
          onChange={(per) => set({ per })}
          options={{ order: msg('noun|Order'), line: msg('Line of an order') }}
        />
        <RadioRows
          label={t('Names')}
          value={choice.names}
          onChange={(names) => set({ names })}
          options={{ full: msg('In full'), initials: msg('Initials only') }}
        />
      </div>
      <p role="status" className="tabular font-medium">
        {!view.isWhole
          ? t('The rest of the orders is still being loaded.')
          : isTooMany
            ? t('These are {count} labels. Print at most {most} at once: choose a place.', {
                count: formatCount(count),
                most: formatCount(LABELS_MAX),
              })
            : hasSheets
              ? t(
                  '{count, plural, one {# label} other {# labels}} on {sheets, plural, one {# sheet} other {# sheets}}',
                  { count, sheets: Math.ceil(count / perSheet) },
                )
              : t('{count, plural, one {# label} other {# labels}}', { count })}
      </p>
    </PaperDialog>
  );
}

/** One label. */
export type Label = {
  key: string;
  order: PickOrder;
  /** The customer's name, or its initials. */
  name: string;
  /** What is in it, where each line has its own. */
  goods?: string;
  /** Which of its lines: '2 of 6'. */
  part?: string;
};

/** How labels are made. */
type LabelChoice = { per: 'order' | 'line'; names: 'full' | 'initials' };

const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${initial(word)}.`)
    .join(' ');

/** Returns the labels of the orders that are still to be handed over: one per order, or one per line. */
export function labelsOf(view: PickView, { per, names }: LabelChoice): Label[] {
  return pickedOrders(view).flatMap((order): Label[] => {
    if (order.status === 'completed') return [];
    const name = names === 'full' ? order.customer.name : initialsOf(order.customer.name);
    if (per === 'order') return [{ key: order._id, order, name }];
    const lines = order.lines.filter(({ quantity }) => quantity > 0);
    return lines.map((line, index) => ({
      key: line.lineId,
      order,
      name,
      goods:
        line.packed === undefined
          ? formatLine(line)
          : t('{goods}, {weight}', {
              goods: formatLine(line),
              weight: formatQuantity(line.packed, line.product.unit),
            }),
      part: t('{number} of {count}', { number: index + 1, count: lines.length }),
    }));
  });
}
