import { type SubmitEvent, useId, useState } from 'react';
import { cleanText } from '#contract/platform/text/constants/text';
import { Textarea } from '../fields/controls.tsx';
import { Field } from '../fields/Field.tsx';
import { useDialogText } from '../form/draft.tsx';
import { Dialog, DialogButtons, type DialogProps } from './Dialog.tsx';

/**
 * A dialog that asks for one text, such as a reason, before something is done. It stays open while `pending` and after
 * a failure; the caller closes it.
 */
export function TextDialog({
  draftKey,
  label,
  hint,
  maxLength,
  missing,
  confirmLabel,
  pendingLabel,
  danger = false,
  pending,
  onClose,
  onConfirm,
  ...dialog
}: Pick<DialogProps, 'title' | 'description'> & {
  /** Names the draft that the text is kept under until the dialog is closed. */
  draftKey: string;
  /** Of the text's field, and who reads it. */
  label: string;
  hint: string;
  maxLength: number;
  /** What is said where there is no text; without it none is required. */
  missing?: string;
  confirmLabel: string;
  pendingLabel: string;
  /** The action takes something away. */
  danger?: boolean;
  pending: boolean;
  onClose: () => void;
  /** Gets the text without spaces around it. */
  onConfirm: (text: string) => void;
}) {
  const formId = useId();
  const [text, setText, restoredNote] = useDialogText(draftKey);
  const [error, setError] = useState<string>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const cleaned = cleanText(text);
    if (cleaned === '' && missing !== undefined) setError(missing);
    else if (!pending) onConfirm(cleaned);
  };
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(open) => !open && !pending && onClose()}
      footer={
        <DialogButtons
          type="submit"
          form={formId}
          label={confirmLabel}
          {...{ danger, pending, pendingLabel }}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-3">
        {restoredNote}
        <Field label={label} hint={hint} error={error} required={missing !== undefined}>
          <Textarea
            rows={3}
            maxLength={maxLength}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
