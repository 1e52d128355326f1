import { FileUp } from 'lucide-react';
import { useState } from 'react';
import type { ProductImport } from '#contract/catalogue/imports/imports';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { useUploadImport } from './commands.ts';

/** Takes a file that is chosen, or dropped here, and uploads it. */
export function ChooseFile({ onUploaded }: { onUploaded: (uploaded: ProductImport) => void }) {
  const upload = useUploadImport();
  const [isOver, setOver] = useState(false);
  const send = (file: File | undefined) => {
    if (file) upload.mutate({ file }, { onSuccess: ({ data }) => onUploaded(data) });
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        send(event.dataTransfer.files[0]);
      }}
      className={cn(
        'grid cursor-pointer justify-items-center gap-2 rounded border border-dashed border-hairline p-6 text-center focus-within:outline-2 focus-within:outline-accent',
        isOver && 'bg-ground',
      )}
    >
      <FileUp className="size-6" />
      <span className="font-medium">
        {upload.isPending ? t('Reading the file …') : t('Choose a CSV file, or drop it here')}
      </span>
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        disabled={upload.isPending}
        onChange={(event) => {
          send(event.target.files?.[0]);
          // So that the same file can be chosen again once it is corrected.
          event.target.value = '';
        }}
        className="sr-only"
      />
    </label>
  );
}
