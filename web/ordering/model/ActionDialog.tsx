import type { ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { Dialog, type DialogProps } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field, type FieldProps } from '../../platform/ui/fields/Field.tsx';
import { useDialogText } from '../../platform/ui/form/draft.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** An open dialog with Cancel and the button of what it is for. It does not close while that is `pending`. */
export function ActionDialog({
  label,
  formId,
  pending = false,
  disabled = false,
  summary,
  onAction,
  onClose,
  ...dialog
}: Pick<DialogProps, 'title' | 'description' | 'size' | 'children'> & {
  /** Of the button. */
  label: ReactNode;
  /** The form in it that the button submits. */
  formId?: string;
  pending?: boolean;
  disabled?: boolean;
  /** Stands above the buttons. */
  summary?: ReactNode;
  onAction?: () => void;
  onClose: () => void;
}) {
  const buttons = (
    <>
      <Button variant="secondary" onClick={onClose}>
        {t('Cancel')}
      </Button>
      <Button
        {...(formId && { type: 'submit', form: formId })}
        pending={pending}
        disabled={disabled}
        onClick={onAction}
      >
        {label}
      </Button>
    </>
  );
  const footer = summary ? (
    <div className="grid w-full gap-3">
      {summary}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{buttons}</div>
    </div>
  ) : (
    buttons
  );
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(open) => !open && !pending && onClose()}
      footer={footer}
    />
  );
}

/** Returns what is typed in a dialog, such as a reason, without spaces around it, and the field for it. */
export function useDialogField(
  draftKey: string,
  {
    initial,
    maxLength,
    ...field
  }: Pick<FieldProps, 'label' | 'hint'> & {
    maxLength: number;
    initial?: string | undefined;
  },
) {
  const [text, setText, restoredNote] = useDialogText(draftKey, initial);
  const shown = (
    <>
      {restoredNote}
      <Field {...field}>
        <Textarea
          rows={2}
          maxLength={maxLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
    </>
  );
  return [text.trim(), shown] as const;
}

/** What a query that brings something is asked for, and whether it failed. */
type Loading = { error: unknown; refetch: () => unknown; isFetching: boolean };

/** Stands for what was not loaded yet: why that failed, or the skeleton within. */
export const NotLoaded = ({ query, children }: { query: Loading; children: ReactNode }) =>
  query.error ? (
    <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
  ) : (
    children
  );
