import { Store, Truck } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { get, useWatch } from 'react-hook-form';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import type { Order } from '#contract/ordering/orders/orders';
import type { Address } from '#contract/platform/http/http';
import { formatExpected, fromMinor, totalMinor } from '#contract/platform/money/constants';
import { formatDistance } from '#contract/platform/quantities/constants/quantities';
import { ADDRESS_PARTS } from '#contract/platform/text/constants/address-words';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { Alert, Loading, Skeleton } from '../../../platform/ui/feedback/states.tsx';
import { Select, Textarea } from '../../../platform/ui/fields/controls.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { AddressFields } from '../../../platform/ui/form/fields.tsx';
import {
  type AppForm,
  Form,
  FormError,
  FormField,
  useZodForm,
} from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { CartLine } from '../rules.ts';
import { type Checkout, type CheckoutInput, checkoutAt, PAYMENT_LABELS } from './checkout-form.ts';
import {
  type CheckoutDraft,
  type FarmTerms,
  initialValues,
  nextOf,
  usualTimeOf,
} from './initial-values.ts';
import { DeliveryArea, MomentFields } from './MomentFields.tsx';

/** The field of the chosen slot: its id, empty for none. */
export type SlotField = {
  value: string;
  onChange: (slotId: string) => void;
  /** Why no order can be placed with it. */
  error: string | undefined;
};

/** The fields of the address, to fill them with one. */
export type AddressField = { value: Address; onChoose: (address: Address) => void };

/** The checkout form: pickup or delivery, payment method, notes and total. */
export function CheckoutForm({
  lines,
  asksSize = false,
  terms,
  address,
  draft,
  last,
  pickSlot,
  pickAddress,
  notice,
  onDraft,
  held,
  sending,
  paused,
  onSubmit,
}: {
  /** What it comes to; without lines whose size is still to be chosen, which there are with `asksSize`. */
  lines: readonly CartLine[];
  asksSize?: boolean;
  terms: FarmTerms;
  /** The consumer's own address, as the default. */
  address: Address;
  /** What was typed before a reload. */
  draft: CheckoutDraft | undefined;
  /** The consumer's last order at this farm, whose choices are the defaults. */
  last: Order | undefined;
  /** Renders the choice of a slot, at a farm whose pickups need one. */
  pickSlot?: ((field: SlotField) => ReactNode) | undefined;
  /** Renders the choice among the consumer's addresses. */
  pickAddress?: ((field: AddressField) => ReactNode) | undefined;
  /** What the consumer has to do before the order can be placed. */
  notice?: ReactNode;
  /** Called with everything that is typed, after each change. */
  onDraft: (draft: CheckoutDraft) => void;
  /** The order got no answer and is sent again by itself. */
  held: boolean;
  /** The order is being sent, also by itself. */
  sending: boolean;
  /** From when on the farm takes orders again, while it takes none. */
  paused?: string | undefined;
  onSubmit: (input: Checkout) => Promise<void>;
}) {
  const [refusedNext, setRefusedNext] = useState<PossibleDay | null>(null);
  const hasSlots = pickSlot !== undefined;
  const isEstimate = lines.some(({ pieceWeight }) => pieceWeight !== undefined);
  const total = formatExpected(fromMinor(totalMinor(lines)), isEstimate);
  const schema = useMemo(
    () => checkoutAt(terms.timeZone, hasSlots, terms.bookableDays, terms.lastDay),
    [terms.timeZone, hasSlots, terms.bookableDays, terms.lastDay],
  );
  const form = useZodForm(schema, {
    defaultValues: initialValues(terms, address, { draft, last }),
  });
  const lastDraft = useRef(JSON.stringify(form.getValues()));
  const keep = useEffectEvent((typed: CheckoutDraft) => {
    // Also called when the form is submitted, without a change.
    const text = JSON.stringify(typed);
    if (text === lastDraft.current) return;
    lastDraft.current = text;
    setRefusedNext(null);
    onDraft(typed);
  });
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => keep(values as CheckoutDraft),
      }),
    [form.subscribe],
  );
  const orderType = useWatch({ control: form.control, name: 'orderType' });
  const slotId = useWatch({ control: form.control, name: 'pickupDetails.slotId' });
  const isSubmitting = form.formState.isSubmitting;
  const moment = { form, farm: terms, usualTime: usualTimeOf(last), refusedNext };
  const submit = async (input: Checkout) => {
    setRefusedNext(null);
    try {
      await onSubmit(input);
    } catch (error) {
      setRefusedNext(nextOf(error));
      throw error;
    }
  };
  return (
    <Form form={form} onSubmit={submit} label={t('Checkout')} className="grid gap-6">
      <fieldset className="grid gap-3">
        <legend className="mb-3 font-display text-lg font-semibold">
          {t('How do you want it?')}
        </legend>
        {!terms.acceptsPickup && !terms.acceptsDelivery && (
          <Alert kind="warning">
            {t('This farm offers neither pickup nor delivery at the moment.')}
          </Alert>
        )}
        <div className="grid grid-cols-2 gap-3">
          <Choice
            icon={<Store />}
            label={t('Pickup')}
            hint={pickupHint(terms, hasSlots)}
            value="pickup"
            disabled={!terms.acceptsPickup}
            {...form.register('orderType')}
          />
          <Choice
            icon={<Truck />}
            label={t('Delivery')}
            hint={deliveryHint(terms)}
            value="delivery"
            disabled={!terms.acceptsDelivery}
            {...form.register('orderType')}
          />
        </div>
      </fieldset>

      {orderType === 'delivery' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {pickAddress && <ChosenAddress form={form} pick={pickAddress} />}
          <AddressFields
            form={form}
            name="deliveryDetails.address"
            isOwn
            required={ADDRESS_PARTS}
          />
          <DeliveryArea form={form} terms={terms} />
          <div className="sm:col-span-2">
            <MomentFields way="delivery" {...moment} />
          </div>
        </div>
      ) : pickSlot ? (
        pickSlot({
          value: slotId ?? '',
          onChange: (id) => {
            form.setValue('pickupDetails.slotId', id, { shouldDirty: true });
            form.clearErrors('pickupDetails.slotId');
            form.clearErrors('root.server');
          },
          error: get(form.formState.errors, 'pickupDetails.slotId.message'),
        })
      ) : (
        <div className="grid gap-4">
          <MomentFields way="pickup" {...moment} />
          <FormField
            form={form}
            name="pickupDetails.location"
            label={t('Pickup location')}
            required
          >
            {(field) => <Input {...field} />}
          </FormField>
        </div>
      )}

      <div className="grid gap-4">
        <FormField form={form} name="paymentMethod" label={t('Payment method')}>
          {(field) => (
            <Select {...field}>
              {Object.entries(PAYMENT_LABELS).map(([value, label]) => (
                <option key={value} value={value}>
                  {writeMessage(label)}
                </option>
              ))}
            </Select>
          )}
        </FormField>
        <FormField form={form} name="notes" label={t('Notes (optional)')}>
          {(field) => (
            <Textarea {...field} rows={3} placeholder={t('Anything the farm should know')} />
          )}
        </FormField>
      </div>

      <div className="grid gap-2 border-t border-hairline pt-4">
        <dl className="grid gap-2">
          <div className="flex items-baseline justify-between text-sm text-ink-soft">
            <dt>{t('Items')}</dt>
            <dd className="tabular">{formatCount(lines.length)}</dd>
          </div>
          <div className="flex items-baseline justify-between text-lg font-semibold">
            <dt>{t('Total')}</dt>
            <dd className="tabular">{total}</dd>
          </div>
        </dl>
        {asksSize && (
          <p className="text-sm text-ink-soft">{t('Without what still needs a size.')}</p>
        )}
        {isEstimate && (
          <p className="text-sm text-ink-soft">
            {t(
              "This is an estimate: some of it is priced by weight. You'll get the exact total as soon as the farm has weighed it.",
            )}
          </p>
        )}
      </div>
      <FormError form={form} />
      {notice}
      <div role="status" className="empty:hidden">
        {held && !sending && (
          <Alert kind="warning">
            {t(
              "No connection, so your order isn't placed yet. Everything is kept here, and it goes out as soon as you're back online, or when you press Place Order again.",
            )}
          </Alert>
        )}
      </div>
      <Button
        type="submit"
        size="lg"
        pending={isSubmitting || sending}
        pendingLabel={t('Placing order...')}
        disabled={paused !== undefined}
      >
        {t('Place Order')}
      </Button>
      {paused && <p className="-mt-3 text-center text-sm text-ink-soft">{paused}</p>}
    </Form>
  );
}

function ChosenAddress({
  form,
  pick,
}: {
  form: AppForm<CheckoutInput, Checkout>;
  pick: (field: AddressField) => ReactNode;
}) {
  const value = useWatch({ control: form.control, name: 'deliveryDetails.address' });
  return (
    <div className="empty:hidden sm:col-span-2">
      {pick({
        value,
        onChoose: (address) => {
          form.setValue('deliveryDetails.address', address, { shouldDirty: true });
          form.clearErrors('deliveryDetails.address');
        },
      })}
    </div>
  );
}

function pickupHint({ acceptsPickup }: FarmTerms, hasSlots: boolean): string {
  if (!acceptsPickup) return t('Not offered by this farm');
  return hasSlots ? t('You choose place and time') : t('At the farm');
}

function deliveryHint({ acceptsDelivery, deliveryRadius }: FarmTerms): string {
  if (!acceptsDelivery) return t('Not offered by this farm');
  return deliveryRadius
    ? t('Up to {distance} from the farm', { distance: formatDistance(deliveryRadius) })
    : t('To your door');
}

/** A radio button that is displayed as a card. */
function Choice({
  icon,
  label,
  hint,
  ...input
}: ComponentProps<'input'> & { icon: ReactNode; label: string; hint: string }) {
  return (
    <label className="grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 rounded border border-outline p-3 has-checked:border-leaf has-checked:bg-leaf-soft has-checked:text-leaf-ink has-disabled:cursor-not-allowed has-disabled:border-hairline has-disabled:text-ink-faint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf sm:p-4">
      <input {...input} type="radio" className="sr-only" />
      <span aria-hidden="true" className="[&>svg]:size-5">
        {icon}
      </span>
      <span>
        <span className="block font-medium">{label}</span>
        <span className="block text-sm">{hint}</span>
      </span>
    </label>
  );
}

/** Has the place of the form until the farm is known. */
export function FormSkeleton() {
  return (
    <Loading className="grid gap-5">
      <Skeleton className="h-6 w-1/2" />
      <Skeleton className="h-16 rounded" />
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-24 rounded" />
      <Skeleton className="h-12 rounded" />
    </Loading>
  );
}
