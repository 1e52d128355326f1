import { REPORT_TEXT_MAX, type ReportOutcome } from '#contract/admin/moderation/constants';
import { TextDialog } from '../../platform/ui/dialogs/TextDialog.tsx';
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
  const settle = useSettleReport(reportId);
  return (
    <TextDialog
      {...words[outcome]}
      draftKey={`settle:${reportId}`}
      label="Note"
      hint="Only admins see it."
      maxLength={REPORT_TEXT_MAX}
      confirmLabel="Settle report"
      pendingLabel="Saving..."
      pending={settle.isPending}
      onClose={onClose}
      onConfirm={(note) => settle.mutate({ outcome, note }, { onSettled: onClose })}
    />
  );
}
