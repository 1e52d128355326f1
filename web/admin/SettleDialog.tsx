import { type SubmitEvent, useId, useState } from 'react';
import { REPORT_TEXT_MAX, type ReportOutcome } from '#contract/constants/moderation';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';
import { useSettleReport } from './case-queries.ts';

const words: Record<ReportOutcome, { title: string; description: string }> = {
  dismissed: {
    title: 'Leave it as it is?',
    description: "Whoever reported it is told that you've looked at it and left it as it is.",
  },
  acted: {
    title: 'Settle this report?',
    description: "Whoever reported it is told that you've done something about it, not what.",
  },
};

/** Asks for a note of the admins before a report is settled. */
export function SettleDialog({
  reportId,
  outcome,
  onClose,
}: {
  reportId: string;
  outcome: ReportOutcome;
  onClose: () => void;
}) {
  const formId = useId();
  const [note, setNote] = useState('');
  const settle = useSettleReport(reportId);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!settle.isPending) settle.mutate({ outcome, note: note.trim() }, { onSettled: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !settle.isPending && onClose()}
      {...words[outcome]}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={settle.isPending} pendingLabel="Saving...">
            Settle report
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <Field label="Note" hint="Only admins see it.">
          <Textarea
            rows={3}
            maxLength={REPORT_TEXT_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
