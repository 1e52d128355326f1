import { useQueryClient } from '@tanstack/react-query';
import { Printer, Tags } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { picklistApi, picklistFiles } from '#contract/ordering/picklist/constants';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../../platform/api/api.ts';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { printQuery, scopeFields } from '../queries.ts';
import type { PickView } from '../work/fold.ts';
import { LabelsDialog, labelsOf } from './LabelsDialog.tsx';
import { downloadPdf } from './PaperDialog.tsx';
import { type PrintChoice, PrintDialog } from './PrintDialog.tsx';
import type { PrintJob } from './PrintSheet.tsx';

const PrintSheet = lazy(() => import('./PrintSheet.tsx'));

/** The buttons to print the list and its labels, with their dialogs. */
export function PrintTools({
  view,
  placeName,
}: {
  view: PickView;
  /** The name of the list's place; empty for all. */
  placeName: string;
}) {
  const cache = useQueryClient();
  const [open, setOpen] = useState<'print' | 'labels' | null>(null);
  const [job, setJob] = useState<PrintJob | null>(null);
  /** Numbers and keeps a print. */
  const print = useCommand(() => call(picklistApi.print, { body: scopeFields(view) }));
  const close = () => setOpen(null);

  const printList = async ({ onlyChanges, paper, as }: PrintChoice) => {
    try {
      const { _id, number } = (await print.mutateAsync()).data;
      if (as === 'pdf') {
        await downloadPdf(
          picklistFiles.print(_id),
          onlyChanges ? { changes: 'true' } : {},
          `pick-list-${view.date}-print-${number}.pdf`,
        );
      } else {
        const printed = await cache.fetchQuery(printQuery(_id));
        setJob({ kind: 'list', print: printed, placeName, onlyChanges, paper });
      }
      close();
    } catch (error) {
      // What the command itself is refused with is shown by it.
      if (!print.isError) toastError(error);
    }
  };
  return (
    <>
      <Button
        variant="secondary"
        icon={<Printer />}
        onClick={() => setOpen('print')}
        className="shrink-0 max-sm:w-11 max-sm:px-0"
      >
        <span className="max-sm:sr-only">{t('Print')}</span>
      </Button>
      <Button
        variant="secondary"
        icon={<Tags />}
        onClick={() => setOpen('labels')}
        className="shrink-0 max-sm:w-11 max-sm:px-0"
      >
        <span className="max-sm:sr-only">{t('Labels')}</span>
      </Button>
      {open === 'print' && (
        <PrintDialog view={view} isPending={print.isPending} onPrint={printList} onClose={close} />
      )}
      {open === 'labels' && (
        <LabelsDialog
          view={view}
          onPrint={(choice) => {
            const labels = labelsOf(view, choice);
            setJob({ kind: 'labels', date: view.date, format: choice.format, labels });
            close();
          }}
          onClose={close}
        />
      )}
      {job && (
        <Suspense fallback={null}>
          <PrintSheet key={keyOf(job)} job={job} onDone={() => setJob(null)} />
        </Suspense>
      )}
    </>
  );
}

const keyOf = (job: PrintJob): string =>
  job.kind === 'list' ? shortId(job.print._id) : `${job.format} ${job.labels.length}`;
