import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MARKET_PAGE_NAMES, marketPagesApi } from '#contract/admin/market-pages/constants';
import {
  Announce,
  type MarketPage,
  MarketPageForm,
  type SaveMarketPage,
} from '#contract/admin/market-pages/market-pages';
import { z } from '#contract/platform/http/zod';
import {
  type Announcement,
  MARKET_PAGES,
  type MarketPageSlug,
} from '#contract/platform/market/constants';
import { MARKET_PAGE_MAX } from '#contract/platform/market/constants/choices';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { MarketText } from '../../admin/market/MarketText.tsx';
import { keepMarket, marketKeys, marketPageQuery } from '../../admin/market/queries.ts';
import { call } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { ErrorState, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { TextField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Tabs } from '../../platform/ui/lists/Tabs.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';

const USES: Readonly<Record<MarketPageSlug, Message>> = {
  terms: msg('Anyone who opens an account has to agree to them. Linked at the foot of every page.'),
  privacy: msg('How the market handles personal data. Linked at the foot of every page.'),
  help: msg('What people ask again and again. Linked at the foot of every page.'),
  about: msg('Takes the place of the text behind “About Us”.'),
};

const nameOf = (slug: MarketPageSlug) => writeMessage(MARKET_PAGE_NAMES[slug]);

/** What the market says: an announcement to everybody, and its texts. The open text is kept in the URL. */
export default function AdminPagesPage() {
  const market = useMarket();
  const [slug, setSlug] = useSearchParamChoice('page', MARKET_PAGES, 'terms');
  return (
    <AdminFrame title={t('Pages')} isOfMarket>
      <div className="grid gap-6">
        <Card as="section" aria-labelledby="announcement" className="max-w-3xl">
          <h2 id="announcement" className="mb-4 text-lg">
            {t('Announcement')}
          </h2>
          {/* A change by another admin resets the form. */}
          <AnnouncementForm
            key={JSON.stringify(market.announcement)}
            announcement={market.announcement}
          />
        </Card>
        <Tabs
          label={t('Pages')}
          value={slug}
          onChange={(value) => setSlug(MARKET_PAGES.find((each) => each === value) ?? slug)}
          tabs={MARKET_PAGES.map((each) => ({
            value: each,
            label: market.pages.includes(each)
              ? nameOf(each)
              : t('{page} (not written)', { page: nameOf(each) }),
            content:
              each === slug ? (
                <PagePart slug={each} isWritten={market.pages.includes(each)} />
              ) : null,
          }))}
        />
      </div>
    </AdminFrame>
  );
}

function PagePart({ slug, isWritten }: { slug: MarketPageSlug; isWritten: boolean }) {
  const query = useQuery({ ...marketPageQuery(slug), enabled: isWritten });
  const { data: page, error } = query;
  // The form of a first text stays once that is saved.
  const [beganUnwritten] = useState(!isWritten);
  // Another admin may have taken it away a moment ago.
  const isGone = error instanceof ApiError && error.status === 404;
  const hasForm = page !== undefined || beganUnwritten || !isWritten || isGone;
  return (
    <div className="grid gap-4">
      <p className="text-ink-soft">{writeMessage(USES[slug])}</p>
      {hasForm ? (
        <MarketPageEditor slug={slug} page={isWritten && !isGone ? page : undefined} />
      ) : error ? (
        <ErrorState error={error} onRetry={query.refetch} pending={query.isFetching} />
      ) : (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
    </div>
  );
}

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
    message: t('The clock never shows this time. Choose another one.'),
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
      label={t('Announcement')}
      draftKey="announcement"
      onSubmit={(input) => announce.mutateAsync(input)}
      className="grid gap-4"
    >
      <FormError form={form} />
      <FormField
        form={form}
        name="text"
        label={t('What everybody is told')}
        hint={t('At most {limit} characters, on top of every page', {
          limit: MARKET_PAGE_MAX.announcement,
        })}
      >
        {(field) => <Textarea {...field} rows={2} maxLength={MARKET_PAGE_MAX.announcement} />}
      </FormField>
      <FormField
        form={form}
        name="endsAt"
        label={t('Until')}
        hint={t('By your clock; empty: until you take it away')}
      >
        {(field) => <Input {...field} type="datetime-local" className="sm:w-64" />}
      </FormField>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={announce.isPending}>
          {announcement ? t('Change it') : t('Tell everybody')}
        </Button>
        {announcement && (
          <Button
            variant="secondary"
            disabled={announce.isPending}
            onClick={() => announce.mutate({ text: '', endsAt: null })}
          >
            {t('Take it away')}
          </Button>
        )}
      </div>
    </Form>
  );
}

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
    defaultValues: { title: page?.title ?? nameOf(slug), body: page?.body ?? '' },
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
    form.reset({ title: nameOf(slug), body: '' });
    setIsRemoving(false);
  };
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Form
        form={form}
        label={nameOf(slug)}
        draftKey={`market-page:${slug}`}
        onSubmit={submit}
        className="grid content-start gap-4"
      >
        <LeaveGuard when={isDirty} />
        <FormError form={form} />
        <TextField
          form={form}
          name="title"
          label={t('Title')}
          required
          maxLength={MARKET_PAGE_MAX.title}
        />
        <FormField
          form={form}
          name="body"
          label={t('Text')}
          hint={t('Markdown: # Heading, **bold**, - list, [words](address)')}
          required
        >
          {(field) => <Textarea {...field} rows={14} className="max-h-none font-mono text-sm" />}
        </FormField>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={save.isPending} disabled={!isDirty}>
            {t('Save')}
          </Button>
          {page && (
            <Button variant="danger-quiet" onClick={() => setIsRemoving(true)}>
              {t('Take the page away')}
            </Button>
          )}
        </div>
      </Form>
      <Card as="section" aria-label={t('How it will look')} className="content-start">
        {body.trim() ? (
          <MarketText body={body} />
        ) : (
          <p className="text-ink-soft">{t('Nothing yet.')}</p>
        )}
      </Card>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setIsRemoving}
        title={t('Take the page away?')}
        description={t('Its text is deleted, and nothing links to it any more.')}
        confirmLabel={t('Take it away')}
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(slug, { onSuccess: beginAgain })}
      />
    </div>
  );
}

/** Writes a text of the market. */
const useSavePage = (slug: MarketPageSlug) =>
  useCommand((body: SaveMarketPage) => call(marketPagesApi.save, { params: { slug }, body }), {
    onSuccess: (cache, { data }) => cache.setQueryData(marketKeys.page(slug), data),
    done: t('The page is saved.'),
    onError: toastErrorOfEdit,
  });

/** Takes a text of the market away. */
const useRemovePage = () =>
  useCommand((slug: MarketPageSlug) => call(marketPagesApi.remove, { params: { slug } }), {
    onSuccess: (cache, _, slug) => cache.removeQueries({ queryKey: marketKeys.page(slug) }),
    done: t('The page is gone.'),
  });

/** Announces something to everybody, or takes the announcement away. */
const useAnnounce = () =>
  useCommand((body: Announce) => call(marketPagesApi.announce, { body }), {
    onSuccess: (cache, { data }) => keepMarket(cache, data),
    done: ({ data }) =>
      data.announcement ? t('Everybody sees it now.') : t('The announcement is gone.'),
    onError: toastErrorOfEdit,
  });
