import { useState } from 'react';
import {
  type DaySheet,
  picklistFiles,
  SHEET_ORDERS_MAX,
} from '#contract/ordering/picklist/constants';
import { formatCount } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { scopeFields } from '../queries.ts';
import { type PickView, pickedOrders } from '../work/fold.ts';
import { downloadPdf, PaperDialog, RadioRows } from './PaperDialog.tsx';

/** The paper of a list: sheets, or the roll of a receipt printer. */
export type Paper = 'a4' | '80mm';

/** What is printed, on what. */
export type PrintChoice = { onlyChanges: boolean; paper: Paper; as: 'paper' | 'pdf' };

const HARVEST_LIST = 'harvest_list';
const DOCUMENTS: Record<typeof HARVEST_LIST | DaySheet, Message> = {
  harvest_list: msg('Harvest list'),
  packing_slips: msg('Packing slips'),
  loading_list: msg('Loading list'),
  run_sheet: msg('Run sheet for the driver'),
};
const DESCRIPTIONS: Record<DaySheet, Message> = {
  packing_slips: msg(
    'A page for each order: what goes into it, its note, and a code that opens it here.',
  ),
  loading_list: msg('The orders of each place with their crates, to tick while the van is loaded.'),
  run_sheet: msg('The deliveries by time: name, address, phone number, crates and note.'),
};

interface PrintProps {
  view: PickView;
  isPending: boolean;
  onPrint: (choice: PrintChoice) => void;
  onClose: () => void;
}

/**
 * Asks what to print of a day: the list of what is harvested, of which each print gets a number and changes count from
 * it on, or a sheet of its orders.
 */
export function PrintDialog({ view, isPending, onPrint, onClose }: PrintProps) {
  const [chosen, setChosen] = useState<keyof typeof DOCUMENTS>(HARVEST_LIST);
  const [what, setWhat] = useState<'all' | 'changes'>('all');
  const [paper, setPaper] = useState<Paper>('a4');
  const download = useCommand(
    (sheet: DaySheet) =>
      downloadPdf(
        picklistFiles.sheets,
        { ...scopeFields(view), sheet },
        `${sheet.replace('_', '-')}-${view.date}.pdf`,
      ),
    { onSuccess: onClose },
  );
  const choose = (
    <RadioRows label={t('Print')} value={chosen} onChange={setChosen} options={DOCUMENTS} />
  );
  const close = (open: boolean) => !open && !isPending && !download.isPending && onClose();
  if (chosen !== HARVEST_LIST) {
    const count = sheetOrders(view, chosen).length;
    return (
      <PaperDialog
        onOpenChange={close}
        title={writeMessage(DOCUMENTS[chosen])}
        description={writeMessage(DESCRIPTIONS[chosen])}
        pdf={{
          pending: download.isPending,
          // What is not here yet may be what it is about.
          disabled: (count === 0 && view.isWhole) || count > SHEET_ORDERS_MAX,
          onClick: () => download.mutate(chosen),
        }}
      >
        {choose}
        <p role="status" className="tabular font-medium">
          {view.isWhole
            ? describeCount(chosen, count)
            : t('The rest of the orders is still being loaded.')}
        </p>
      </PaperDialog>
    );
  }
  const last = view.print;
  const printAs = (as: PrintChoice['as']) => ({
    pending: isPending,
    onClick: () => onPrint({ onlyChanges: what === 'changes', paper, as }),
  });
  return (
    <PaperDialog
      onOpenChange={close}
      title={t('noun|Print {number}', { number: (last?.number ?? 0) + 1 })}
      description={
        last
          ? rich(
              'Print {number} is of {time}, by {name}. Changes will count from the new print on.',
              {
                number: last.number,
                time: <Time value={last.at} inSentence />,
                name: last.by.name,
              },
            )
          : t('Changes that come later are shown as more or less than this print.')
      }
      pdf={printAs('pdf')}
      print={printAs('paper')}
    >
      {choose}
      {last && (
        <RadioRows
          label={t('What')}
          value={what}
          onChange={setWhat}
          options={{
            all: msg('The whole list'),
            changes: msg('Changes since print {number} only', { number: last.number }),
          }}
          disabled={view.changes.length > 0 ? undefined : 'changes'}
        />
      )}
      <RadioRows
        label={t('Paper')}
        value={paper}
        onChange={setPaper}
        options={{ a4: msg('A4 sheets'), '80mm': msg('80 mm roll') }}
      />
    </PaperDialog>
  );
}

/** The orders that are still to be handed over; drivers have the deliveries alone. */
const sheetOrders = (view: PickView, sheet: DaySheet) =>
  pickedOrders(view).filter(
    ({ status, address }) => status === 'accepted' && (sheet !== 'run_sheet' || address !== null),
  );

function describeCount(sheet: DaySheet, count: number): string {
  if (count > SHEET_ORDERS_MAX) {
    return t('These are {count} orders. Print at most {most} at once: choose a place.', {
      count: formatCount(count),
      most: formatCount(SHEET_ORDERS_MAX),
    });
  }
  if (sheet === 'run_sheet') {
    return count === 0
      ? t('There are no accepted deliveries on this day.')
      : t('{count, plural, one {# delivery} other {# deliveries}}', { count });
  }
  return count === 0
    ? t('There are no accepted orders on this day.')
    : t('{count, plural, one {# order} other {# orders}}', { count });
}
