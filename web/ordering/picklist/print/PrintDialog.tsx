import { FileDown, Printer } from 'lucide-react';
import { useState } from 'react';
import type { PickPrint } from '#contract/ordering/picklist/picklist';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { RadioRows } from '../RadioRows.tsx';
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
