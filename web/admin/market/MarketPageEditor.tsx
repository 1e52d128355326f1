import { useRef, useState } from 'react';
import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import { type MarketPage, MarketPageForm } from '#contract/admin/market-pages/market-pages';
import { MARKET_PAGE_MAX, type MarketPageSlug } from '#contract/platform/market/constants';
import { ConfirmDialog } from '../../platform/ui/dialogs/ConfirmDialog.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Textarea } from '../../platform/ui/fields/Textarea.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/Card.tsx';
import { useRemovePage, useSavePage } from './commands.ts';
import { MarketText } from './MarketText.tsx';

/** Writes a text of the market, with how it will look beside it. */
export function MarketPageEditor({
  slug,
  page,
}: {
  slug: MarketPageSlug;
  /** As it is; absent when nobody has written it. */
  page: MarketPage | undefined;
}) {
  const save = useSavePage(slug);
  const remove = useRemovePage();
  const [isRemoving, setIsRemoving] = useState(false);
  // The version that was read when writing began: what another admin saves meanwhile is not overwritten.
  const version = useRef(page?.version ?? 0);
  const form = useZodForm(MarketPageForm, {
    defaultValues: { title: page?.title ?? MARKET_PAGE_NAMES[slug], body: page?.body ?? '' },
  });
  const { isDirty } = form.formState;
  const body = form.watch('body');
  const submit = async (input: MarketPageForm, show: (saved: MarketPageForm) => void) => {
    const { data } = await save.mutateAsync({ ...input, expectedVersion: version.current });
    version.current = data.version;
    show({ title: data.title, body: data.body });
  };
  const beginAgain = () => {
    version.current = 0;
    form.reset({ title: MARKET_PAGE_NAMES[slug], body: '' });
    setIsRemoving(false);
  };
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <LeaveGuard when={isDirty} />
      <Form
        form={form}
        label={MARKET_PAGE_NAMES[slug]}
        onSubmit={submit}
        className="grid content-start gap-4"
      >
        <FormError form={form} />
        <FormField form={form} name="title" label="Title" required>
          {(field) => <Input {...field} maxLength={MARKET_PAGE_MAX.title} />}
        </FormField>
        <FormField
          form={form}
          name="body"
          label="Text"
          hint="Markdown: # Heading, **bold**, - list, [words](address)"
          required
        >
          {(field) => <Textarea {...field} rows={14} className="max-h-none font-mono text-sm" />}
        </FormField>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={save.isPending} disabled={!isDirty}>
            Save
          </Button>
          {page && (
            <Button variant="danger-quiet" onClick={() => setIsRemoving(true)}>
              Take the page away
            </Button>
          )}
        </div>
      </Form>
      <Card as="section" aria-label="How it will look" className="content-start">
        {body.trim() ? <MarketText body={body} /> : <p className="text-ink-soft">Nothing yet.</p>}
      </Card>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setIsRemoving}
        title="Take the page away?"
        description="Its text is deleted, and nothing links to it any more."
        confirmLabel="Take it away"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(slug, { onSuccess: beginAgain })}
      />
    </div>
  );
}
