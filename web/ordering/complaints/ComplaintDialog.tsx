import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { MESSAGE_MAX } from '#contract/farm/messages/constants';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { ownContact } from '#contract/platform/market/constants/choices';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { useMarket } from '../../platform/format/market.ts';
import { rich } from '../../platform/format/rich.tsx';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Checkbox, Select, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDialogText } from '../../platform/ui/form/draft.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ActionDialog } from '../model/ActionDialog.tsx';
import { presentLines } from '../model/order-items.ts';
import {
  complaintText,
  FAULT_WORDS,
  type FaultyLine,
  LINE_FAULTS,
  type LineFault,
  problemOf,
} from './complaint.ts';

/** Characters of one's own words about a line, and about the order. */
const WORDS_MAX = 200;
const MORE_MAX = 600;

/**
 * Asks what was wrong with which lines of an order, shows what its farm will read, and sends that. Where nobody can write
 * to the farm, it says who helps.
 */
export default function ComplaintDialog({
  order,
  mayWrite,
  isSending,
  onSend,
  onClose,
}: {
  order: Order;
  /** Whether its farm can be written to; true until it is known. */
  mayWrite: boolean;
  isSending: boolean;
  onSend: (content: string) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const farm = farmNameOf(order.farmer);
  const [faulty, setFaulty] = useState<ReadonlyMap<string, FaultyLine>>(new Map());
  const [more, setMore, restoredNote] = useDialogText(`complaint:${order._id}`);
  // How often it was tried to send what was not complete: each time the first field to mend takes the focus.
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  if (!mayWrite) return <NotReachable farm={farm} onClose={onClose} />;

  const text = complaintText(order, faulty, more);
  const problem =
    text === '' && faulty.size === 0
      ? t('Tick what was wrong, or say it here.')
      : text.length > MESSAGE_MAX
        ? t('Say it in fewer words: a message has at most {max, number} characters.', {
            max: MESSAGE_MAX,
          })
        : undefined;
  const isComplete =
    problem === undefined &&
    [...faulty.values()].every((said) => Object.keys(problemOf(said)).length === 0);
  const say = (id: string, said: FaultyLine | undefined) => {
    const next = new Map(faulty);
    if (said) next.set(id, said);
    else next.delete(id);
    setFaulty(next);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isComplete) onSend(text);
    else setTries(tries + 1);
  };
  return (
    <ActionDialog
      title={t('Was anything wrong?')}
      description={t('It goes to {farm} alone, as a message. It is no rating.', { farm })}
      label={t('Send to {farm}', { farm })}
      formId={formId}
      pending={isSending}
      onClose={onClose}
    >
      <form ref={form} id={formId} onSubmit={submit} noValidate className="grid gap-4">
        <fieldset className="min-w-0">
          <legend className="text-sm font-medium">{t('Tick what was wrong')}</legend>
          <ul className="mt-1 grid gap-1">
            {presentLines(order.items).map((line) => (
              <LineFields
                key={line._id}
                line={line}
                said={faulty.get(line._id)}
                showsProblems={tries > 0}
                onSay={(said) => say(line._id, said)}
              />
            ))}
          </ul>
        </fieldset>
        {restoredNote}
        <Field label={t('Anything else')} error={tries > 0 ? problem : undefined}>
          <Textarea
            rows={2}
            maxLength={MORE_MAX}
            value={more}
            onChange={({ target }) => setMore(target.value)}
          />
        </Field>
        {text !== '' && (
          <section aria-label={t('What {farm} will read', { farm })} className="grid gap-1.5">
            <p aria-hidden="true" className="text-sm text-ink-soft">
              {t('What {farm} will read', { farm })}
            </p>
            <p
              dir="auto"
              className="rounded bg-leaf-soft px-3.5 py-2 text-sm whitespace-pre-wrap wrap-anywhere"
            >
              {text}
            </p>
          </section>
        )}
      </form>
    </ActionDialog>
  );
}

/** A line to tick, and what was wrong with it once it is. */
function LineFields({
  line,
  said,
  showsProblems,
  onSay,
}: {
  line: OrderLine;
  said: FaultyLine | undefined;
  showsProblems: boolean;
  onSay: (said: FaultyLine | undefined) => void;
}) {
  const { name } = line.product;
  const problem = said && showsProblems ? problemOf(said) : {};
  const span = (inner: ReactNode) => <span className="sr-only">{inner}</span>;
  return (
    <li>
      <Checkbox
        label={<bdi className="wrap-anywhere">{formatLine(line)}</bdi>}
        checked={said !== undefined}
        onChange={({ target }) => onSay(target.checked ? { fault: '', words: '' } : undefined)}
      />
      {said && (
        <div className="grid gap-3 border-s-2 border-hairline ps-3 pt-1 pb-3 sm:grid-cols-2">
          <Field
            label={rich('What was wrong<span>: {name}</span>', { name, span })}
            required
            error={problem.fault}
          >
            <Select
              value={said.fault}
              onChange={({ target }) => onSay({ ...said, fault: target.value as LineFault | '' })}
            >
              <option value="">{t('Choose one')}</option>
              {LINE_FAULTS.map((fault) => (
                <option key={fault} value={fault}>
                  {writeMessage(FAULT_WORDS[fault])}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label={rich('In your own words<span>: {name}</span>', { name, span })}
            error={problem.words}
          >
            <Textarea
              rows={1}
              maxLength={WORDS_MAX}
              value={said.words}
              onChange={({ target }) => onSay({ ...said, words: target.value })}
              className="min-h-11"
            />
          </Field>
        </div>
      )}
    </li>
  );
}

/** Says who helps where a farm is off the market, or has left it. */
function NotReachable({ farm, onClose }: { farm: string; onClose: () => void }) {
  const market = useMarket();
  const { email, phone } = ownContact(market);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Was anything wrong?')}
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      <div className="grid gap-2">
        <p>{t('You cannot write to {name}.', { name: farm })}</p>
        {email || phone ? (
          <>
            <p>{t('The people who run {market} can help you:', { market: market.name })}</p>
            <ul className="grid">
              {email && (
                <li>
                  <a href={`mailto:${email}`} className={contactClass}>
                    <bdi dir="ltr">{email}</bdi>
                  </a>
                </li>
              )}
              {phone && (
                <li>
                  <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={contactClass}>
                    <bdi dir="ltr">{phone}</bdi>
                  </a>
                </li>
              )}
            </ul>
          </>
        ) : (
          <p>
            {t('Choose “{report}” at the end of its page: the people who run {market} read that.', {
              market: market.name,
              report: t('Report a problem with this order'),
            })}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const contactClass = 'link inline-flex min-h-8 items-center break-all pointer-coarse:min-h-11';
