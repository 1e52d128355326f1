import { FileDown, Printer } from 'lucide-react';
import { useState } from 'react';
import {
  LABEL_FORMATS,
  LABELS_MAX,
  type LabelFormat,
  picklistFiles,
} from '#contract/ordering/picklist/constants';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import { formatCount } from '#contract/platform/text/constants/locale';
import { plural } from '../../../platform/format/format.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { scopeFields } from '../queries.ts';
import { RadioRows } from '../RadioRows.tsx';
import type { PickView } from '../work/fold.ts';
import { downloadPdf } from './download-pdf.ts';
import { type LabelChoice, labelsOf } from './labels.ts';

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
