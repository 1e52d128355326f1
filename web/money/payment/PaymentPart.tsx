import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PAYMENT_DETAILS_MAX, paymentApi } from '#contract/money/payment/constants';
import { type FarmPayment, UpdateFarmPayment } from '#contract/money/payment/payment';
import type { User } from '#contract/people/users/users';
import { t } from '#contract/platform/text/constants/texts';
import { NotLoaded } from '../../ordering/model/ActionDialog.tsx';
import { call } from '../../platform/api/api.ts';
import { useFollowedEdit } from '../../platform/queries/versioned-edit.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { mayForFarm } from '../../platform/session/session.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { toast, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { ownPaymentQuery, paymentKeys } from './queries.ts';

/** How customers pay the farm, for anyone who may write it. */
export function PaymentPart({ me }: { me: User }) {
  const mayChange = mayForFarm(me, 'manageMoney');
  const query = useQuery({ ...ownPaymentQuery(), enabled: mayChange });
  if (!mayChange) return null;
  return (
    <Card as="section" aria-labelledby="payment" className="max-w-3xl">
      <CardHeader id="payment" title={t('How customers pay you')} />
      {query.data ? (
        <PaymentForm payment={query.data} />
      ) : (
        <NotLoaded query={query}>
          <SkeletonRows rows={2} />
        </NotLoaded>
      )}
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
      label={t('How customers pay you')}
      onSubmit={async (input, show) => {
        const saved = await edit.save(
          input,
          async (values, _, expectedVersion) =>
            (await update.mutateAsync({ ...values, expectedVersion })).data,
        );
        show(toInput(saved));
        toast.success(t('Saved. Customers see it with their orders.'));
      }}
      className="grid gap-4"
    >
      <FormField
        form={form}
        name="details"
        label={t('Bank account, or how else to pay')}
        hint={t("Shown only to customers who ordered from you and don't pay in cash.")}
      >
        {(field) => (
          <Textarea
            {...field}
            rows={4}
            maxLength={PAYMENT_DETAILS_MAX}
            placeholder={t("For example: the account's owner, bank and number")}
          />
        )}
      </FormField>
      <FormError form={form} />
      <Button
        type="submit"
        className="justify-self-start"
        pending={isSubmitting}
        pendingLabel={t('Saving...')}
      >
        {t('Save')}
      </Button>
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}

/** Changes how to pay the signed-in person's farm. The event shows it everywhere else. */
function useUpdatePayment() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateFarmPayment) => call(paymentApi.update, { body }),
    onSuccess: () => refetch(cache, paymentKeys.all),
    onError: toastErrorOfEdit,
  });
}
