import { type SubmitEvent, useId, useState } from 'react';
import {
  moderationApi,
  REPORT_TEXT_MAX,
  type ReportKind,
  type ReportReason,
} from '#contract/admin/moderation/constants';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDialogText } from '../../platform/ui/form/draft.tsx';
import { ChoiceField, optionsOf } from '../../platform/ui/form/fields.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { REASON_LABELS, REPORT_TITLES } from './report-words.ts';

/** Asks what is wrong with something and reports it to the admins. */
export default function ReportDialog({
  kind,
  id,
  onClose,
}: {
  kind: ReportKind;
  id: string;
  onClose: () => void;
}) {
  const formId = useId();
  const [reason, setReason] = useState<ReportReason | ''>('');
  const [text, setText, restoredNote] = useDialogText(`report:${kind}:${id}`);
  const [isMissing, setMissing] = useState(false);
  const report = useCommand(
    (chosen: ReportReason) =>
      call(moderationApi.report, { body: { kind, id, reason: chosen, text: text.trim() } }),
    { onSuccess: onClose, done: t("Thank you. We'll take a look."), onError: shownByForm },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (reason === '') setMissing(true);
    else if (!report.isPending) report.mutate(reason);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !report.isPending && onClose()}
      title={writeMessage(REPORT_TITLES[kind])}
      description={t(
        "Only the people who run this market see it, and they tell you once they've looked at it.",
      )}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            form={formId}
            pending={report.isPending}
            pendingLabel={t('Sending...')}
          >
            {t('Send report')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
        {restoredNote}
        <ErrorAlert error={report.error} />
        <ChoiceField<ReportReason | ''>
          label={t("What's wrong?")}
          required
          error={isMissing && reason === '' ? t('Choose what is wrong.') : undefined}
          options={[
            { value: '', label: t('Choose one'), disabled: true },
            ...optionsOf(REASON_LABELS),
          ]}
          value={reason}
          onChange={setReason}
        />
        <Field label={t('What should we know?')}>
          <Textarea
            rows={3}
            maxLength={REPORT_TEXT_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
