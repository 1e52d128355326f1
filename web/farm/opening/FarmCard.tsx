import { Check, Eye, Mail, MapPin, Phone, Undo2 } from 'lucide-react';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import {
  APPROVAL_REASON_MAX,
  type OpeningStep,
  openingApi,
} from '#contract/farm/opening/constants';
import type { AdminFarm } from '#contract/farm/opening/opening';
import { readableEmail } from '#contract/platform/http/email';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { TextDialog } from '../../platform/ui/dialogs/TextDialog.tsx';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Badge, Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { openingKeys } from './queries.ts';
import { StepList } from './StepList.tsx';

const STEP_NAMES: Record<OpeningStep, Message> = {
  email: msg('Email confirmed'),
  profile: msg('Profile'),
  address: msg('Address'),
  hours: msg('Hours'),
  product: msg('First product'),
};

/** A farm as admins decide about it: who it is, how far it is, and what can be done. */
export function FarmCard({
  farm,
  pending,
  mayLeave,
  onApprove,
  onSendBack,
}: {
  farm: AdminFarm;
  pending: boolean;
  /** Whether a farm that is in the market can be sent back: only where farms are approved. */
  mayLeave: boolean;
  onApprove: () => void;
  onSendBack: () => void;
}) {
  const title = farmNameOf(farm);
  const place = formatTown(farm.address);
  const isApproved = farm.state === 'approved';
  return (
    <Card as="li" aria-label={title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg wrap-anywhere">
            <Link href={`/admin/users/${farm._id}`} className="inline-block hover:underline">
              <bdi>{title}</bdi>
            </Link>
          </h2>
          {farm.farmName && (
            <p className="text-sm text-ink-soft">
              <bdi>{farm.name}</bdi>
            </p>
          )}
        </div>
        <p className="flex items-center gap-2 text-sm text-ink-soft">
          {farm.state === 'sent_back' && <Badge tone="straw">{t('Sent back')}</Badge>}
          <span>
            {farm.askedAt
              ? rich('Asked {time}', { time: <Time value={farm.askedAt} as="relative" /> })
              : rich('Registered {time}', {
                  time: <Time value={farm.createdAt} as="relative" />,
                })}
          </span>
        </p>
      </div>
      {farm.description && (
        <p dir="auto" className="line-clamp-3 max-w-prose text-sm wrap-anywhere">
          {farm.description}
        </p>
      )}
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft [&>li]:flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
        {place && (
          <li>
            <MapPin />
            <bdi>{place}</bdi>
          </li>
        )}
        {farm.email && (
          <li>
            <Mail />
            <a
              dir="ltr"
              href={`mailto:${farm.email}`}
              className="link inline-block py-0.5 break-all"
            >
              {readableEmail(farm.email)}
            </a>
          </li>
        )}
        {farm.phone && (
          <li>
            <Phone />
            <bdi dir="ltr">{farm.phone}</bdi>
          </li>
        )}
      </ul>
      {!isApproved && (
        <StepList steps={farm.steps} className="flex flex-wrap gap-x-6 gap-y-1.5 text-sm">
          {({ step }) => writeMessage(STEP_NAMES[step])}
        </StepList>
      )}
      {farm.reason !== null && (
        <p className="max-w-prose text-sm text-ink-soft wrap-anywhere">
          {t('Reason: {reason}', { reason: farm.reason })}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {!isApproved && (
          <Button
            icon={<Check />}
            pending={pending}
            aria-label={t('Approve {name}', { name: title })}
            onClick={onApprove}
          >
            {t('Approve')}
          </Button>
        )}
        <LinkButton
          href={`/farmers/${farm._id}`}
          variant="secondary"
          icon={<Eye />}
          aria-label={t('See the page of {name}', { name: title })}
        >
          {t('See the page')}
        </LinkButton>
        {(isApproved ? mayLeave : farm.state === 'waiting') && (
          <Button
            variant="quiet"
            icon={<Undo2 />}
            disabled={pending}
            aria-label={
              isApproved
                ? t('Take off the market: {name}', { name: title })
                : t('Send back {name}', { name: title })
            }
            onClick={onSendBack}
          >
            {isApproved ? t('Take off the market') : t('Send back')}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Asks for the reason for which a farm is sent back, or taken off the market. */
export function SendBackDialog({
  farm,
  pending,
  onClose,
  onConfirm,
}: {
  farm: AdminFarm;
  pending: boolean;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}) {
  const title = farmNameOf(farm);
  const isApproved = farm.state === 'approved';
  return (
    <TextDialog
      draftKey={`send-back:${farm._id}`}
      title={
        isApproved
          ? t('Take {name} off the market', { name: title })
          : t('Send {name} back', { name: title })
      }
      description={
        isApproved
          ? t('Nobody can order from it until you approve it again. Its open orders go on.')
          : t('It can make the change and ask again.')
      }
      label={t('Reason')}
      hint={t('The farm reads it.')}
      missing={t('Tell the farm what is missing.')}
      maxLength={APPROVAL_REASON_MAX}
      confirmLabel={isApproved ? t('Take off the market') : t('Send back')}
      pendingLabel={t('Sending...')}
      danger={isApproved}
      pending={pending}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}

/** Approves a farm, or sends it back with a reason. */
export const useDecideApproval = () =>
  useCommand(
    ({ id, reason }: { id: string; reason?: string }) =>
      call(openingApi.decide, {
        params: { id },
        body: reason === undefined ? { approved: true } : { approved: false, reason },
      }),
    {
      refetches: openingKeys.queues(),
      done: ({ data }) =>
        data.state === 'approved'
          ? t('{farm} is in the market.', { farm: farmNameOf(data) })
          : t('{farm} was told why.', { farm: farmNameOf(data) }),
      onError: (error, cache) => {
        toastError(error);
        refetch(cache, openingKeys.queues());
      },
    },
  );
