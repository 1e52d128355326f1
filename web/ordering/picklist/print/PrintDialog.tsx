import { FileDown, Printer } from 'lucide-react';
import { useId, useState } from 'react';
import {
  LABEL_FORMATS,
  LABELS_MAX,
  type LabelFormat,
  picklistFiles,
} from '#contract/ordering/picklist/constants';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import type { PickPrint } from '#contract/ordering/picklist/picklist';
import { fetchFile } from '../../../platform/api/api.ts';
import { downloadFile } from '../../../platform/api/download.ts';
import { formatCount, plural } from '../../../platform/format/format.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { scopeFields } from '../queries.ts';
import type { PickView } from '../work/fold.ts';
import { type LabelChoice, labelsOf } from './labels.ts';
import type { Paper } from './PrintSheet.tsx';

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
  const choice = { onlyChanges: what === 'changes', paper };
  return (
    <Dialog
      open
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
      footer={
        <>
          <Button
            variant="secondary"
            icon={<FileDown />}
            pending={isPending}
            onClick={() => onPrint({ ...choice, as: 'pdf' })}
          >
            Download PDF
          </Button>
          <Button
            icon={<Printer />}
            pending={isPending}
            onClick={() => onPrint({ ...choice, as: 'paper' })}
          >
            Print
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        {last && (
          <RadioRows
            label="What"
            value={what}
            onChange={setWhat}
            options={[
              { value: 'all', label: 'The whole list' },
              {
                value: 'changes',
                label: `Changes since print ${last.number} only`,
                isDisabled: !hasChanges,
              },
            ]}
          />
        )}
        <RadioRows
          label="Paper"
          value={paper}
          onChange={setPaper}
          options={[
            { value: 'a4', label: 'A4 sheets' },
            { value: '80mm', label: '80 mm roll' },
          ]}
        />
      </div>
    </Dialog>
  );
}

/** A few choices below each other, of which one is taken. */
function RadioRows<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { value: Value; label: string; isDisabled?: boolean }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded border border-hairline px-3 has-checked:border-leaf has-checked:bg-leaf-soft has-disabled:cursor-not-allowed has-disabled:text-ink-faint has-focus-visible:outline-2 has-focus-visible:outline-leaf"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={option.isDisabled}
            onChange={() => onChange(option.value)}
            data-quiet-focus=""
            className="size-4 accent-leaf"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

/** What a format is called, and how many labels are on one of its sheets. */
const formats: Record<LabelFormat, { label: string; perSheet: number }> = {
  avery_l7160: { label: 'A4 sheets, 21 labels of 63.5 × 38.1 mm (L7160)', perSheet: 21 },
  avery_5160: { label: 'Letter sheets, 30 labels of 2⅝ × 1 in (5160)', perSheet: 30 },
  roll_62: { label: '62 mm roll, one below the other', perSheet: 1 },
};

/** Asks what labels to print, says how many that are, and prints them or downloads a PDF. */
export function LabelsDialog({
  scope,
  view,
  onPrint,
  onClose,
}: {
  scope: PickScope;
  view: PickView;
  onPrint: (choice: LabelChoice & { format: LabelFormat }) => void;
  onClose: () => void;
}) {
  const [format, setFormat] = useState<LabelFormat>('avery_l7160');
  const [per, setPer] = useState<LabelChoice['per']>('order');
  const [names, setNames] = useState<LabelChoice['names']>('full');
  const [isPending, setPending] = useState(false);
  const count = labelsOf(view, { per, names }).length;
  const { perSheet } = formats[format];
  const isTooMany = count > LABELS_MAX;
  const download = async () => {
    setPending(true);
    try {
      await downloadPdf(
        picklistFiles.labels,
        { ...scopeFields(scope), format, per, names },
        `labels-${scope.date}.pdf`,
      );
      onClose();
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Labels"
      description="Each has the customer, the order's number, the time and place, and a code that opens the order here."
      footer={
        <>
          <Button
            variant="secondary"
            icon={<FileDown />}
            pending={isPending}
            disabled={count === 0 || isTooMany}
            onClick={download}
          >
            Download PDF
          </Button>
          <Button
            icon={<Printer />}
            // Nobody would miss the labels of the orders that are not here yet.
            disabled={count === 0 || isTooMany || !view.isWhole}
            onClick={() => onPrint({ format, per, names })}
          >
            Print
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <RadioRows
          label="Paper"
          value={format}
          onChange={setFormat}
          options={LABEL_FORMATS.map((value) => ({
            value,
            label: formats[value].label,
          }))}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <RadioRows
            label="One label for each"
            value={per}
            onChange={setPer}
            options={[
              { value: 'order', label: 'Order' },
              { value: 'line', label: 'Line of an order' },
            ]}
          />
          <RadioRows
            label="Names"
            value={names}
            onChange={setNames}
            options={[
              { value: 'full', label: 'In full' },
              { value: 'initials', label: 'Initials only' },
            ]}
          />
        </div>
        <p role="status" className="tabular font-medium">
          {!view.isWhole
            ? 'The rest of the orders is still being loaded.'
            : isTooMany
              ? `These are ${formatCount(count)} labels. Print at most ${formatCount(LABELS_MAX)} at once: choose a place.`
              : `${plural(count, 'label')}${perSheet > 1 && count > 0 ? ` on ${plural(Math.ceil(count / perSheet), 'sheet')}` : ''}`}
        </p>
      </div>
    </Dialog>
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
