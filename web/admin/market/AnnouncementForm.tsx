import { Announce } from '#contract/admin/market-pages/market-pages';
import { z } from '#contract/platform/http/zod';
import { type Announcement, MARKET_PAGE_MAX } from '#contract/platform/market/constants';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Textarea } from '../../platform/ui/fields/Textarea.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useAnnounce } from './commands.ts';

/** What a `datetime-local` field holds, in the reader's time zone, and what the API takes. */
const LocalTime = z.string().transform((local, context) => {
  if (local === '') return null;
  const instant = new Date(local);
  // A time that the clock skips that night is none.
  if (!Number.isNaN(instant.getTime()) && toLocal(instant.toISOString()) === local) {
    return instant.toISOString();
  }
  context.addIssue({
    code: 'custom',
    message: 'The clock never shows this time. Choose another one.',
  });
  return z.NEVER;
});

const toLocal = (iso: string | null): string => {
  if (iso === null) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const AnnouncementInput = z
  .object({ text: Announce.shape.text, endsAt: LocalTime })
  // The rules of the API, for what it would be sent.
  .superRefine((input, context) => {
    for (const { path, message } of Announce.safeParse(input).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });

/** Writes what everybody sees on top of every page, until a time or until it is taken away. */
export function AnnouncementForm({ announcement }: { announcement: Announcement | null }) {
  const announce = useAnnounce();
  const form = useZodForm(AnnouncementInput, {
    defaultValues: {
      text: announcement?.text ?? '',
      endsAt: toLocal(announcement?.endsAt ?? null),
    },
  });
  return (
    <Form
      form={form}
      label="Announcement"
      onSubmit={(input) => announce.mutateAsync(input)}
      className="grid gap-4"
    >
      <FormError form={form} />
      <FormField
        form={form}
        name="text"
        label="What everybody is told"
        hint={`At most ${MARKET_PAGE_MAX.announcement} characters, on top of every page`}
      >
        {(field) => <Textarea {...field} rows={2} maxLength={MARKET_PAGE_MAX.announcement} />}
      </FormField>
      <FormField
        form={form}
        name="endsAt"
        label="Until"
        hint="By your clock; empty: until you take it away"
      >
        {(field) => <Input {...field} type="datetime-local" className="sm:w-64" />}
      </FormField>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={announce.isPending}>
          {announcement ? 'Change it' : 'Tell everybody'}
        </Button>
        {announcement && (
          <Button
            variant="secondary"
            disabled={announce.isPending}
            onClick={() => announce.mutate({ text: '', endsAt: null })}
          >
            Take it away
          </Button>
        )}
      </div>
    </Form>
  );
}
