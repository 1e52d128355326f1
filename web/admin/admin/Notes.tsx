import { useInfiniteQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { AdminNote } from '#contract/admin/admin/admin';
import { NOTE_MAX } from '#contract/admin/admin/constants';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { newId } from '../../platform/api/api.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDraftText } from '../../platform/ui/form/draft.tsx';
import { LoadMore, PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import type { ItemsQuery } from './ListTools.tsx';
import { notesQuery, useAddNote, useAddUserNote, userNotesQuery } from './queries.ts';

/** The internal notes about an order. */
export const OrderNotes = ({ orderId }: { orderId: string }) => (
  <Notes
    query={useInfiniteQuery(notesQuery(orderId))}
    add={useAddNote(orderId)}
    draftKey={`note:${orderId}`}
    removed={t('Removed, because an account of this order was deleted.')}
  />
);

/** The internal notes about a person. */
export const UserNotes = ({ userId }: { userId: string }) => (
  <Notes
    query={useInfiniteQuery(userNotesQuery(userId))}
    add={useAddUserNote(userId)}
    draftKey={`note:${userId}`}
    removed={t('Removed, because this account was deleted.')}
  />
);

/** Internal notes and the form for another one. Notes cannot be changed. */
const Notes = ({
  query,
  add,
  draftKey,
  removed,
}: {
  query: ItemsQuery<AdminNote>;
  add: ReturnType<typeof useAddNote>;
  draftKey: string;
  /** Stands in the place of a note whose text was erased. */
  removed: string;
}) => (
  <Card as="section" aria-labelledby="notes" className="grid gap-4">
    <CardHeader id="notes" title={t('Internal notes')} className="mb-0">
      <span className="inline-flex items-center gap-1.5 text-xs text-ink-soft">
        <Lock aria-hidden="true" className="size-3.5" />
        {t('Only admins see these')}
      </span>
    </CardHeader>
    <PagedList
      query={query}
      items={itemsOf(query.data)}
      skeleton={<Skeleton className="h-5 w-2/5" />}
      empty={<p className="text-sm text-ink-soft">{t('No notes yet.')}</p>}
      more={
        <LoadMore
          hasMore={query.hasNextPage}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onMore={query.fetchNextPage}
          label={t('Later notes')}
        />
      }
    >
      {(notes) => (
        <ol aria-label={t('Notes')} className="grid gap-3" aria-live="polite">
          {notes.map((note) => (
            <li key={note._id} className="border-s-2 border-straw ps-3 text-sm">
              <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                {note.content || <span className="text-ink-soft">{removed}</span>}
              </p>
              <p className="mt-1 text-xs text-ink-soft">
                <bdi>{note.author.name}</bdi>, <Time value={note.createdAt} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </PagedList>
    <NoteForm add={add} draftKey={draftKey} />
  </Card>
);

function NoteForm({ add, draftKey }: { add: ReturnType<typeof useAddNote>; draftKey: string }) {
  const [text, setText, restoredNote] = useDraftText(draftKey);
  // Kept until the note is stored, so that another try is the same note.
  const [id, setId] = useState(newId);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const content = cleanText(text);
    if (content === '' || add.isPending) return;
    add.mutate(
      { _id: id, content },
      {
        onSuccess: () => {
          setText('');
          setId(newId());
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      {restoredNote}
      <Field label={t('Add a note')}>
        <Textarea
          rows={3}
          maxLength={NOTE_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        pending={add.isPending}
        pendingLabel={t('Saving...')}
        // Not `disabled`: it empties with the note that it saves, and keeps the focus.
        aria-disabled={cleanText(text) === '' || undefined}
        className="justify-self-start"
      >
        {t('Save note')}
      </Button>
    </form>
  );
}
