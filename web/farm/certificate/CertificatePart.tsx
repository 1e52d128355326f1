import { useState } from 'react';
import { useController } from 'react-hook-form';
import { type OrganicCertificate, SaveCertificate } from '#contract/farm/certificate/certificate';
import {
  CERTIFICATE_CODE_MAX,
  certificateApi,
  isCertified,
} from '#contract/farm/certificate/constants';
import { theMarket } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { call } from '../../platform/api/api.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import type { PictureField } from '../../platform/uploads/ImageUpload.tsx';

const DAY_STEP_MS = 60_000;

/** The organic certificate of a farm, for those who may change the farm. */
export function CertificatePart({
  certificate,
  timeZone,
  pictureField,
}: {
  /** Null without one. */
  certificate: OrganicCertificate | null;
  /** The farm's. */
  timeZone: string;
  pictureField: PictureField;
}) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = useRemoveCertificate();
  const today = dayIn(timeZone, useNow(DAY_STEP_MS));
  return (
    <Card as="section" aria-labelledby="certificate" className="grid max-w-3xl gap-4">
      <CardHeader id="certificate" title={t('Organic certificate')}>
        {certificate && (
          <Button size="sm" variant="quiet" onClick={() => setRemoving(true)}>
            {t('Remove')}
          </Button>
        )}
      </CardHeader>
      {certificate && !isCertified(certificate, today) && (
        <Alert kind="warning">
          {t(
            'Your certificate was valid until {day}. Your products are no longer marked as organic. Enter the new one to bring the marks back.',
            { day: formatFullDay(certificate.validUntil, today, 'year') },
          )}
        </Alert>
      )}
      {!certificate && theMarket().requiresOrganicCertificate && (
        <Alert kind="info">
          {t('This market asks for a certificate before products can be marked as organic.')}
        </Alert>
      )}
      <CertificateForm
        key={JSON.stringify(certificate)}
        certificate={certificate}
        today={today}
        pictureField={pictureField}
      />
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={t('Remove the certificate?')}
        description={t(
          'Customers no longer see it on the page of your farm. Your products keep their marks as they are.',
        )}
        confirmLabel={t('Remove')}
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setRemoving(false) })}
      />
    </Card>
  );
}

function CertificateForm({
  certificate,
  today,
  pictureField,
}: {
  certificate: OrganicCertificate | null;
  today: string;
  pictureField: PictureField;
}) {
  const save = useSaveCertificate();
  const form = useZodForm(SaveCertificate, {
    defaultValues: certificate ?? { image: '', code: '', validUntil: '' },
  });
  const image = useController({ control: form.control, name: 'image' });
  const [isUploading, setUploading] = useState(false);
  const { isDirty, isSubmitting, isSubmitSuccessful } = form.formState;
  return (
    <Form
      form={form}
      label={t('Organic certificate')}
      draftKey="certificate"
      onSubmit={(input) => save.mutateAsync(input)}
      className="grid gap-5"
    >
      {pictureField({
        label: t('Picture of the certificate'),
        hint: t('A photo or scan, for everyone to read.'),
        url: image.field.value || null,
        onChange: (url) => image.field.onChange(url ?? ''),
        onUploading: setUploading,
        fallback: <span className="block size-full bg-sunken" />,
        frameClass: 'aspect-3/4 w-40 rounded',
        error: image.fieldState.error?.message,
      })}
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField
          form={form}
          name="code"
          label={t('Code of the body that certifies')}
          hint={t('As it stands on labels, such as DE-ÖKO-006.')}
          required
        >
          {(field) => <Input {...field} maxLength={CERTIFICATE_CODE_MAX} autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="validUntil"
          label={t('Valid until')}
          hint={t('We remind you 30 and 7 days before.')}
          required
        >
          {(field) => <Input {...field} type="date" min={today} />}
        </FormField>
      </div>
      <FormError form={form} />
      <Button
        type="submit"
        className="justify-self-start"
        pending={isSubmitting || isUploading}
        pendingLabel={isUploading ? t('Uploading pictures...') : t('Saving...')}
      >
        {t('Save')}
      </Button>
      <LeaveGuard when={(isDirty || isUploading) && !isSubmitSuccessful} />
    </Form>
  );
}

/** Gives the signed-in person's farm a certificate in place of the one it has. The event fetches the farm's page again. */
const useSaveCertificate = () =>
  useCommand((body: SaveCertificate) => call(certificateApi.save, { body }), {
    done: t('Certificate saved. Customers see it on the page of your farm.'),
    onError: shownByForm,
  });

/** Removes it. */
const useRemoveCertificate = () =>
  useCommand(() => call(certificateApi.remove), { done: t('Certificate removed.') });
