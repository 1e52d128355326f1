import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Copy, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { calendarApi } from '#contract/ordering/calendar/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { downloadText } from '../../platform/api/download.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { Button, OutsideLinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { NotLoaded } from '../model/ActionDialog.tsx';
import { farmCalendarQuery, useCloseFarmCalendar, useOpenFarmCalendar } from './queries.ts';

/** The farm's pickups and deliveries in the reader's own calendar, which looks for news by itself. */
export function FarmCalendarPart() {
  const query = useQuery(farmCalendarQuery());
  const { data } = query;
  const open = useOpenFarmCalendar();
  return (
    <Card as="section" aria-labelledby="calendar" className="max-w-3xl">
      <CardHeader id="calendar" title={t('Your calendar')} />
      <p className="mb-4 max-w-prose text-sm text-ink-soft">
        {t(
          'See pickups, deliveries and closed days in the calendar of your phone or computer. It has the names of customers and what they ordered, so keep the address to yourself.',
        )}
      </p>
      {data ? (
        data.url === null ? (
          <Button icon={<CalendarPlus />} pending={open.isPending} onClick={() => open.mutate()}>
            {t('Make an address')}
          </Button>
        ) : (
          <Address url={data.url} />
        )
      ) : (
        <NotLoaded query={query}>
          <SkeletonRows rows={1} />
        </NotLoaded>
      )}
    </Card>
  );
}

const QUESTIONS = {
  renew: {
    title: msg('Make a new address?'),
    description: msg('Calendars with the address you have now stop getting news.'),
    confirmLabel: msg('Make a new address'),
  },
  end: {
    title: msg('End this calendar?'),
    description: msg(
      'Calendars with this address stop getting news. You can make another one any time.',
    ),
    confirmLabel: msg('End calendar'),
  },
};

function Address({ url }: { url: string }) {
  const [asked, setAsked] = useState<'renew' | 'end' | null>(null);
  const question = asked && QUESTIONS[asked];
  const renew = useOpenFarmCalendar();
  const end = useCloseFarmCalendar();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast.success(t('The address is copied.'));
    } catch {
      toastError(
        new Error(t("Your browser didn't allow copying. Select the address and copy it.")),
      );
    }
  };
  return (
    <div className="grid gap-4">
      <Field
        label={t('Address')}
        hint={t('Add it to your calendar as a subscription, “from URL”.')}
      >
        <Input readOnly value={url} onFocus={(event) => event.target.select()} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy />} onClick={copy}>
          {t('Copy')}
        </Button>
        {/* `webcal:` opens the calendar of the device, which asks whether to subscribe. */}
        <OutsideLinkButton
          href={url.replace(/^https?:/, 'webcal:')}
          variant="secondary"
          icon={<CalendarPlus />}
        >
          {t('Open in a calendar')}
        </OutsideLinkButton>
        <Button variant="secondary" icon={<RefreshCw />} onClick={() => setAsked('renew')}>
          {t('New address')}
        </Button>
        <Button variant="quiet" onClick={() => setAsked('end')}>
          {t('End')}
        </Button>
      </div>
      {question && (
        <ConfirmDialog
          open
          onOpenChange={(isOpen) => !isOpen && setAsked(null)}
          title={writeMessage(question.title)}
          description={writeMessage(question.description)}
          confirmLabel={writeMessage(question.confirmLabel)}
          pending={renew.isPending || end.isPending}
          onConfirm={() =>
            (asked === 'renew' ? renew : end).mutate(undefined, { onSuccess: () => setAsked(null) })
          }
        />
      )}
    </div>
  );
}

/** Offers the pickup or delivery of an order as a file for the reader's own calendar. */
export function AddToCalendar({ orderId }: { orderId: string }) {
  const file = useCommand(() => call(calendarApi.order, { params: { id: orderId } }), {
    onSuccess: (_, { data }) =>
      downloadText(data.fileName, 'text/calendar;charset=utf-8', data.content),
  });
  return (
    <Button
      variant="secondary"
      icon={<CalendarPlus />}
      pending={file.isPending}
      onClick={() => file.mutate()}
    >
      {t('Add to calendar')}
    </Button>
  );
}
