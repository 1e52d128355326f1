import { Copy, Download } from 'lucide-react';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { downloadText } from '../../../platform/api/download.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { DialogButtons } from './PasswordDialog.tsx';

/** The recovery codes, shown this once, to be kept somewhere else. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast.success('The codes are copied.');
    } catch {
      toastError(new Error("Your browser didn't allow copying. Select the codes and copy them."));
    }
  };
  return (
    <div className="grid gap-5">
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1.5 rounded bg-sunken px-4 py-3 font-mono text-sm tabular-nums select-text min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" icon={<Copy />} onClick={copy} autoFocus>
          Copy
        </Button>
        <Button
          variant="secondary"
          icon={<Download />}
          onClick={() =>
            downloadText(
              marketFileName('recovery-codes.txt'),
              'text/plain',
              `${codes.join('\n')}\n`,
            )
          }
        >
          Download
        </Button>
      </div>
      <DialogButtons>
        <Button onClick={onDone}>I have kept them</Button>
      </DialogButtons>
    </div>
  );
}
