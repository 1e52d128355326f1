import { FileDown, Printer } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import {
  LABEL_FORMATS,
  LABELS_MAX,
  type LabelFormat,
  picklistFiles,
} from '#contract/ordering/picklist/constants';
import type { PickOrder, PickPrint } from '#contract/ordering/picklist/picklist';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatCount } from '#contract/platform/text/constants/formats';
import { downloadFile, fetchFile } from '../../../platform/api/download.ts';
import { initial, plural } from '../../../platform/format/format.ts';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { Dialog, type DialogProps } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Button, type ButtonProps } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { RadioRow } from '../../model/choices.tsx';
import { scopeFields } from '../queries.ts';
import { type PickView, pickedOrders } from '../work/fold.ts';

/** The paper of a list: sheets, or the roll of a receipt printer. */
export type Paper = 'a4' | '80mm';

/** What is printed, on what. */
export type PrintChoice = { onlyChanges: boolean; paper: Paper; as: 'paper' | 'pdf' };

/** Asks what to print. Each print gets a number, and changes count from it on. */
export function PrintDialog({
  last,
  hasChanges,
  isPending,
  onPrint,
  onClose,
}: {
  last: PickPrint | null;
  hasChanges: boolean;
  isPending: boolean;
  onPrint: (choice: PrintChoice) => void;
  onClose: () => void;
}) {
  const [what, setWhat] = useState<'all' | 'changes'>('all');
  const [paper, setPaper] = useState<Paper>('a4');
  const printAs = (as: PrintChoice['as']) => ({
    pending: isPending,
    onClick: () => onPrint({ onlyChanges: what === 'changes', paper, as }),
  });
  return (
    <PaperDialog
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={`Print ${(last?.number ?? 0) + 1}`}
      description={
        last ? (
          <>
            Print {last.number} is of <Time value={last.at} inSentence />, by {last.by.name}.
            Changes will count from the new print on.
          </>
        ) : (
          'Changes that come later are shown as more or less than this print.'
        )
      }
      pdf={printAs('pdf')}
      print={printAs('paper')}
    >
      {last && (
        <RadioRows
          label="What"
          value={what}
          onChange={setWhat}
          options={{
            all: 'The whole list',
            changes: `Changes since print ${last.number} only`,
          }}
          disabled={hasChanges ? undefined : 'changes'}
        />
      )}
      <RadioRows
        label="Paper"
        value={paper}
        onChange={setPaper}
        options={{ a4: 'A4 sheets', '80mm': '80 mm roll' }}
      />
    </PaperDialog>
  );
}

/** A dialog about what is printed, or downloaded to be printed. */
function PaperDialog({
  pdf,
  print,
  children,
  ...dialog
}: Pick<DialogProps, 'onOpenChange' | 'title' | 'description'> & {
  pdf: ButtonProps;
  print: ButtonProps;
  children: ReactNode;
}) {
  const footer = (
    <>
      <Button variant="secondary" icon={<FileDown />} {...pdf}>
        Download PDF
      </Button>
      <Button icon={<Printer />} {...print}>
        Print
      </Button>
    </>
  );
  return (
    <Dialog open footer={footer} {...dialog}>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </Dialog>
  );
}

/** A few choices below each other, of which one is taken. */
function RadioRows<Value extends string>({
  label,
  options,
  value,
  disabled,
  onChange,
}: {
  label: string;
  /** The words of each choice. */
  options: Record<Value, string>;
  value: Value;
  disabled?: Value | undefined;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([option, words]) => (
        <RadioRow
          key={option}
          name={name}
          value={option}
          checked={value === option}
          disabled={option === disabled}
          onChange={() => onChange(option)}
        >
          {words}
        </RadioRow>
      ))}
    </fieldset>
  );
}

const FORMATS: Record<LabelFormat, string> = {
  avery_l7160: 'A4 sheets, 21 labels of 63.5 × 38.1 mm (L7160)',
  avery_5160: 'Letter sheets, 30 labels of 2⅝ × 1 in (5160)',
  roll_62: '62 mm roll, one below the other',
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
      title="Labels"
      description="Each has the customer, the order's number, the time and place, and a code that opens the order here."
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
        label="Paper"
        value={choice.format}
        onChange={(format) => set({ format })}
        options={FORMATS}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <RadioRows
          label="One label for each"
          value={choice.per}
          onChange={(per) => set({ per })}
          options={{ order: 'Order', line: 'Line of an order' }}
        />
        <RadioRows
          label="Names"
          value={choice.names}
          onChange={(names) => set({ names })}
          options={{ full: 'In full', initials: 'Initials only' }}
        />
      </div>
      <p role="status" className="tabular font-medium">
        {!view.isWhole
          ? 'The rest of the orders is still being loaded.'
          : isTooMany
            ? `These are ${formatCount(count)} labels. Print at most ${formatCount(LABELS_MAX)} at once: choose a place.`
            : [plural(count, 'label'), hasSheets && plural(Math.ceil(count / perSheet), 'sheet')]
                .filter(Boolean)
                .join(' on ')}
      </p>
    </PaperDialog>
  );
}

/**
 * Downloads a PDF of the API.
 * @throws ApiError on an error status or no response
 */
export async function downloadPdf(
  path: string,
  query: Readonly<Record<string, string>>,
  name: string,
): Promise<void> {
  downloadFile(name, await fetchFile(path, { query }));
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
      goods: [
        formatLine(line),
        line.packed !== undefined && formatQuantity(line.packed, line.product.unit),
      ]
        .filter(Boolean)
        .join(', '),
      part: `${index + 1} of ${lines.length}`,
    }));
  });
}
