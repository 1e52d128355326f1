import { FileDown, Printer } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { type Message, t, writeMessage } from '#contract/platform/text/constants/texts';
import { downloadFile, fetchFile } from '../../../platform/api/download.ts';
import { Dialog, type DialogProps } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Button, type ButtonProps } from '../../../platform/ui/primitives/Button.tsx';
import { RadioRow } from '../../model/choices.tsx';

/** A dialog about what is printed, or downloaded to be printed; some is downloaded alone. */
export function PaperDialog({
  pdf,
  print,
  children,
  ...dialog
}: Pick<DialogProps, 'onOpenChange' | 'title' | 'description'> & {
  pdf: ButtonProps;
  print?: ButtonProps;
  children: ReactNode;
}) {
  const footer = (
    <>
      <Button variant={print ? 'secondary' : 'primary'} icon={<FileDown />} {...pdf}>
        {t('Download PDF')}
      </Button>
      {print && (
        <Button icon={<Printer />} {...print}>
          {t('Print')}
        </Button>
      )}
    </>
  );
  return (
    <Dialog open footer={footer} {...dialog}>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </Dialog>
  );
}

/** A few choices below each other, of which one is taken. */
export function RadioRows<Value extends string>({
  label,
  options,
  value,
  disabled,
  onChange,
}: {
  label: string;
  /** The words of each choice. */
  options: Record<Value, Message>;
  value: Value;
  disabled?: Value | undefined;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {(Object.entries(options) as [Value, Message][]).map(([option, words]) => (
        <RadioRow
          key={option}
          name={name}
          value={option}
          checked={value === option}
          disabled={option === disabled}
          onChange={() => onChange(option)}
        >
          {writeMessage(words)}
        </RadioRow>
      ))}
    </fieldset>
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
