import { Store, Truck } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
} from 'react';
import { useWatch } from 'react-hook-form';
import { fromMinor, totalMinor } from '#contract/constants/money';
import { dayIn } from '#contract/constants/time';
import type { Address } from '#contract/http';
import type { PaymentMethod } from '#contract/orders';
import { farmClockNote } from '../lib/farm-clock.ts';
import { formatCount, formatMoney, plural } from '../lib/format.ts';
import { Form, FormError, FormField, useZodForm } from '../ui/form.tsx';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { Textarea } from '../ui/primitives/Textarea.tsx';
import { type CheckoutDraft, withoutPastDays } from './checkout-draft.ts';
import { type Checkout, checkoutAt, PAYMENT_LABELS } from './checkout-form.ts';
import { DeliveryArea } from './DeliveryArea.tsx';
import type { CartLine } from './rules.ts';

/** The terms of the farm that the checkout needs. */
export type FarmTerms = {
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  /** Miles. */
  deliveryRadius: number | null;
  /** Postcodes and cities it delivers to; empty where it lists none. */
  deliveryAreas: readonly string[];
  /** The default pickup location. */
  pickupLocation: string;
  /** Returns a sentence about the business hours on a day, `YYYY-MM-DD`. */
  hoursOn: (date: string) => string | undefined;
  /** The farm's; the reader's where it could not be loaded. */
  timeZone: string | undefined;
};

/** The checkout form: pickup or delivery, payment method, notes and total. */
export function CheckoutForm({
  lines,
  terms,
  address,
  draft,
  onDraft,
  held,
  sending,
  onSubmit,
}: {
  lines: readonly CartLine[];
  terms: FarmTerms;
  /** The buyer's own address, as the default. */
  address: Address;
  /** What was typed before a reload. */
  draft: CheckoutDraft | undefined;
  /** Called with everything that is typed, after each change. */
  onDraft: (draft: CheckoutDraft) => void;
  /** The order got no answer and is sent again by itself. */
  held: boolean;
  /** The order is being sent, also by itself. */
  sending: boolean;
  onSubmit: (input: Checkout) => Promise<void>;
}) {
  const schema = useMemo(() => checkoutAt(terms.timeZone), [terms.timeZone]);
  const form = useZodForm(schema, { defaultValues: initialValues(terms, address, draft) });
  const lastDraft = useRef(JSON.stringify(form.getValues()));
  const keep = useEffectEvent((typed: CheckoutDraft) => {
    // Also called when the form is submitted, without a change.
    const text = JSON.stringify(typed);
    if (text === lastDraft.current) return;
    lastDraft.current = text;
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
  const pickupDate = useWatch({ control: form.control, name: 'pickupDetails.date' });
  const isSubmitting = form.formState.isSubmitting;
  const firstDay = dayIn(terms.timeZone);
  const clockNote = farmClockNote(terms.timeZone);
  return (
    <Form form={form} onSubmit={onSubmit} label="Checkout" className="grid gap-6">
      <fieldset className="grid gap-3">
        <legend className="mb-3 font-display text-lg font-semibold">How do you want it?</legend>
        {!terms.acceptsPickup && !terms.acceptsDelivery && (
          <Alert kind="warning">This farm offers neither pickup nor delivery at the moment.</Alert>
        )}
        <div className="grid grid-cols-2 gap-3">
          <Choice
            icon={<Store />}
            label="Pickup"
            hint={terms.acceptsPickup ? 'At the farm' : 'Not offered by this farm'}
            value="pickup"
            disabled={!terms.acceptsPickup}
            {...form.register('orderType')}
          />
          <Choice
            icon={<Truck />}
            label="Delivery"
            hint={deliveryHint(terms)}
            value="delivery"
            disabled={!terms.acceptsDelivery}
            {...form.register('orderType')}
          />
        </div>
      </fieldset>

      {orderType === 'delivery' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField
            form={form}
            name="deliveryDetails.address.street"
            label="Street"
            required
            className="sm:col-span-2"
          >
            {(field) => <Input {...field} autoComplete="street-address" />}
          </FormField>
          <FormField form={form} name="deliveryDetails.address.city" label="City" required>
            {(field) => <Input {...field} autoComplete="address-level2" />}
          </FormField>
          <div className="grid grid-cols-2 gap-4">
            <FormField form={form} name="deliveryDetails.address.state" label="State" required>
              {(field) => <Input {...field} autoComplete="address-level1" />}
            </FormField>
            <FormField form={form} name="deliveryDetails.address.zipCode" label="ZIP code" required>
              {(field) => <Input {...field} autoComplete="postal-code" />}
            </FormField>
          </div>
          <DeliveryArea form={form} terms={terms} />
          <FormField form={form} name="deliveryDetails.date" label="Delivery date" required>
            {(field) => <Input type="date" min={firstDay} {...field} />}
          </FormField>
          <FormField
            form={form}
            name="deliveryDetails.time"
            label="Delivery time"
            required
            hint={clockNote}
          >
            {(field) => <Input type="time" {...field} />}
          </FormField>
        </div>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField
            form={form}
            name="pickupDetails.date"
            label="Pickup date"
            required
            hint={terms.hoursOn(pickupDate)}
          >
            {(field) => <Input type="date" min={firstDay} {...field} />}
          </FormField>
          <FormField
            form={form}
            name="pickupDetails.time"
            label="Pickup time"
            required
            hint={clockNote}
          >
            {(field) => <Input type="time" {...field} />}
          </FormField>
          <FormField
            form={form}
            name="pickupDetails.location"
            label="Pickup location"
            required
            className="sm:col-span-2"
          >
            {(field) => <Input {...field} />}
          </FormField>
        </div>
      )}

      <div className="grid gap-4">
        <FormField form={form} name="paymentMethod" label="Payment method">
          {(field) => (
            <Select {...field}>
              {(Object.entries(PAYMENT_LABELS) as [PaymentMethod, string][]).map(
                ([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ),
              )}
            </Select>
          )}
        </FormField>
        <FormField form={form} name="notes" label="Notes (optional)">
          {(field) => <Textarea {...field} rows={3} placeholder="Anything the farm should know" />}
        </FormField>
      </div>

      <dl className="grid gap-2 border-t border-hairline pt-4">
        <div className="flex items-baseline justify-between text-sm text-ink-soft">
          <dt>Items</dt>
          <dd className="tabular">{formatCount(lines.length)}</dd>
        </div>
        <div className="flex items-baseline justify-between text-lg font-semibold">
          <dt>Total</dt>
          <dd className="tabular">{formatMoney(fromMinor(totalMinor(lines)))}</dd>
        </div>
      </dl>
      <FormError form={form} />
      <div role="status" className="empty:hidden">
        {held && !sending && (
          <Alert kind="warning">
            No connection, so your order isn't placed yet. Everything is kept here, and it goes out
            as soon as you're back online, or when you press Place Order again.
          </Alert>
        )}
      </div>
      <Button
        type="submit"
        size="lg"
        pending={isSubmitting || sending}
        pendingLabel="Placing order..."
      >
        Place Order
      </Button>
    </Form>
  );
}

/** Returns what the form begins with: the draft, as far as the farm still offers it, or defaults. */
function initialValues(
  terms: FarmTerms,
  address: Address,
  draft: CheckoutDraft | undefined,
): CheckoutDraft {
  const usual = terms.acceptsPickup || !terms.acceptsDelivery ? 'pickup' : 'delivery';
  if (!draft) {
    return {
      orderType: usual,
      pickupDetails: { date: '', time: '', location: terms.pickupLocation },
      deliveryDetails: { address, date: '', time: '', isAreaConfirmed: false },
      paymentMethod: 'cash',
      notes: '',
    };
  }
  const isOffered = draft.orderType === 'pickup' ? terms.acceptsPickup : terms.acceptsDelivery;
  return {
    ...withoutPastDays(draft, dayIn(terms.timeZone)),
    orderType: isOffered ? draft.orderType : usual,
  };
}

function deliveryHint({ acceptsDelivery, deliveryRadius }: FarmTerms): string {
  if (!acceptsDelivery) return 'Not offered by this farm';
  return deliveryRadius ? `Up to ${plural(deliveryRadius, 'mile')} from the farm` : 'To your door';
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
