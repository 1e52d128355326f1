import { useMutation } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { calendarApi } from '#contract/ordering/calendar/constants';
import { call } from '../../platform/api/api.ts';
import { downloadText } from '../../platform/api/download.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** Offers the pickup or delivery of an order as a file for the reader's own calendar. */
export function AddToCalendar({ orderId }: { orderId: string }) {
  const file = useMutation({
    mutationFn: () => call(calendarApi.order, { params: { id: orderId } }),
    onSuccess: ({ data }) =>
      downloadText(data.fileName, 'text/calendar;charset=utf-8', data.content),
    onError: toastError,
  });
  return (
    <Button
      variant="secondary"
      icon={<CalendarPlus />}
      pending={file.isPending}
      onClick={() => file.mutate()}
    >
      Add to calendar
    </Button>
  );
}
