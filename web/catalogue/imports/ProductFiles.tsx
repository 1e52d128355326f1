import { FileDown, FileUp } from 'lucide-react';
import { useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ChooseFile } from './ChooseFile.tsx';
import { useDownloadProducts } from './commands.ts';

/** Takes the farm's products out as a file, and in from one. */
export default function ProductFiles({
  mayChange,
  onUploaded,
}: {
  mayChange: boolean;
  onUploaded: (id: string) => void;
}) {
  const download = useDownloadProducts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        icon={<FileDown />}
        pending={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('Export')}
      </Button>
      {mayChange && (
        <Button variant="secondary" icon={<FileUp />} onClick={() => setOpen(true)}>
          {t('Import')}
        </Button>
      )}
      {isOpen && (
        <Dialog
          open
          onOpenChange={setOpen}
          title={t('Import products')}
          description={t(
            'From a CSV file of at most 2 MB and 2,000 rows. You see what it would change before anything is written.',
          )}
        >
          <ChooseFile onUploaded={({ _id }) => onUploaded(_id)} />
        </Dialog>
      )}
    </>
  );
}
