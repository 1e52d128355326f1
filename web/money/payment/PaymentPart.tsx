import { useQuery } from '@tanstack/react-query';
import { PAYMENT_DETAILS_MAX } from '#contract/money/payment/constants';
import { type FarmPayment, UpdateFarmPayment } from '#contract/money/payment/payment';
import type { User } from '#contract/people/users/users';
import { useFollowedEdit } from '../../platform/queries/versioned-edit.ts';
import { mayForFarm } from '../../platform/session/farm-work.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { useUpdatePayment } from './commands.ts';
import { ownPaymentQuery } from './queries.ts';

/** How customers pay the farm, for whoever may write it. */
export function PaymentPart({ me }: { me: User }) {
  const mayChange = mayForFarm(me, 'manageMoney');
  const { data, error, refetch, isFetching } = useQuery({
    ...ownPaymentQuery(),
    enabled: mayChange,
  });
  if (!mayChange) return null;
  const fallback = error ? (
    <ErrorState error={error} onRetry={refetch} pending={isFetching} />
  ) : (
    <SkeletonRows rows={2} />
  );
  return (
    <Card as="section" aria-labelledby="payment" className="max-w-3xl">
      <CardHeader id="payment" title="How customers pay you" />
      {data ? <PaymentForm payment={data} /> : fallback}
    </Card>
  );
}

const PaymentInput = UpdateFarmPayment.pick({ details: true });
const toInput = ({ details }: FarmPayment) => ({ details });

function PaymentForm({ payment }: { payment: FarmPayment }) {
  const update = useUpdatePayment();
  const form = useZodForm(PaymentInput, { defaultValues: toInput(payment) });
  const edit = useFollowedEdit(form, payment, toInput);
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      label="How customers pay you"
      onSubmit={async (input, show) => {
        const saved = await edit.save(
          input,
          async (values, _, expectedVersion) =>
            (await update.mutateAsync({ ...values, expectedVersion })).data,
        );
        show(toInput(saved));
        toast.success('Saved. Customers see it with their orders.');
      }}
      className="grid gap-4"
    >
      <FormField
        form={form}
        name="details"
        label="Bank account, or how else to pay"
        hint="Shown only to customers who ordered from you and don't pay in cash."
      >
        {(field) => (
          <Textarea
            {...field}
            rows={4}
            maxLength={PAYMENT_DETAILS_MAX}
            placeholder="For example: the account's owner, bank and number"
          />
        )}
      </FormField>
      <FormError form={form} />
      <Button
        type="submit"
        className="justify-self-start"
        pending={isSubmitting}
        pendingLabel="Saving..."
      >
        Save
      </Button>
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}
